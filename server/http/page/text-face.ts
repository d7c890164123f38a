import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A file of the face that texts are set in, and what of a text it is for. */
export interface TextFace {
  file: string
  style: 'normal' | 'italic'
  /** As CSS writes it. */
  range: string
}

/** The face of the text: which of its files a page needs, and their bytes for a page that may ask nobody. */
export interface TextFaces {
  needed: (html: string) => TextFace[]
  /** Rules for a style sheet that hold the files themselves. */
  embedded: (html: string) => string
}

const slanted = /<(?:em|i|cite|dfn|var|address)\b|class="empty"/

export function textFaces(faces: readonly TextFace[], read: (file: string) => Uint8Array): TextFaces {
  const ranges = new Map(faces.map((face) => [face, parseRange(face.range)]))
  const rules = new Map<TextFace, string>()
  const rule = (face: TextFace) => {
    const bytes = Buffer.from(read(face.file)).toString('base64')
    return (
      `@font-face{font-family:'Source Serif 4 Variable';font-style:${face.style};font-weight:400 700;` +
      `src:url(data:font/woff2;base64,${bytes}) format('woff2');unicode-range:${face.range}}`
    )
  }
  const needed = (html: string) => {
    const points = pointsOf(html)
    const isSlanted = slanted.test(html)
    return faces.filter(
      (face) =>
        (face.style === 'normal' || isSlanted) &&
        ranges.get(face)!.some(([from, to]) => points.subarray(from, to + 1).includes(1)),
    )
  }
  return {
    needed,
    embedded: (html) =>
      needed(html)
        .map((face) => rules.get(face) ?? rules.set(face, rule(face)).get(face)!)
        .join('\n'),
  }
}

/** 1 for each code point that the text has. A text may be long: this makes nothing for each of its signs. */
function pointsOf(text: string): Uint8Array {
  const points = new Uint8Array(0x110000)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0xd800 || unit > 0xdfff) {
      points[unit] = 1
      continue
    }
    const point = text.codePointAt(at)!
    points[point] = 1
    if (point > 0xffff) at++
  }
  return points
}

/** Reads what the build says of the files, which lie in `folder`; `names` are those that they have there. */
export function loadTextFaces(folder: string, names: readonly string[]): TextFaces {
  const faces = JSON.parse(readFileSync(path.join(folder, 'faces.json'), 'utf8')) as TextFace[]
  return textFaces(
    faces.map((face) => {
      const { name } = path.parse(face.file)
      const file = names.find((one) => path.basename(one).startsWith(`${name}-`))
      if (file === undefined) throw new Error(`the build of the share page lacks ${face.file}`)
      return { ...face, file }
    }),
    (file) => readFileSync(path.join(folder, file)),
  )
}

const parseRange = (range: string): [number, number][] =>
  range.split(',').map((one) => {
    const [from = '', to = from] = one.trim().slice(2).split('-')
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
  })
