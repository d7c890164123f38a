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
  /** Reads a long text part by part. */
  reader: () => FaceReader
}
interface FaceReader {
  read: (part: string) => void
  /** Rules for a style sheet that hold the files that the text needs. */
  embedded: () => string
}

const slanted = /<(?:em|i|cite|dfn|var|address)\b|class="empty"/
/** At least as long as what tells that a text is slanted. */
const longestSign = 16

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
  const reading = () => {
    const points = new Uint8Array(0x110000)
    let isSlanted = false
    let end = ''
    return {
      read(part: string) {
        markPoints(part, points)
        isSlanted ||= slanted.test(end + part.slice(0, longestSign)) || slanted.test(part)
        end = part.slice(-longestSign)
      },
      needed: () =>
        faces.filter(
          (face) =>
            (face.style === 'normal' || isSlanted) &&
            ranges.get(face)!.some(([from, to]) => points.subarray(from, to + 1).includes(1)),
        ),
    }
  }
  const rulesOf = (needed: readonly TextFace[]) =>
    needed.map((face) => rules.get(face) ?? rules.set(face, rule(face)).get(face)!).join('\n')
  const needed = (html: string) => {
    const text = reading()
    text.read(html)
    return text.needed()
  }
  return {
    needed,
    reader: () => {
      const text = reading()
      return { read: text.read, embedded: () => rulesOf(text.needed()) }
    },
  }
}

/** Sets 1 for each code point that the text has. A text may be long: this makes nothing for each of its signs. */
function markPoints(text: string, points: Uint8Array) {
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
