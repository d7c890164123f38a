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
    const points = new Set<number>()
    for (const sign of html) points.add(sign.codePointAt(0)!)
    const isSlanted = slanted.test(html)
    return faces.filter(
      (face) =>
        (face.style === 'normal' || isSlanted) &&
        ranges.get(face)!.some(([from, to]) => [...points].some((point) => point >= from && point <= to)),
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
