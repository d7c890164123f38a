// Cuts the face of the text into parts that a page loads as its words need them: what every Latin text needs first and
// small, the rest by scripts. All pages are set in these very files, so that a text looks alike wherever it is read.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import subsetFont from 'subset-font'

/** Where its files come from; its licence goes with every part that holds them. */
export const textFacePackage = '@fontsource-variable/source-serif-4'

const require = createRequire(import.meta.url)
const source = path.dirname(require.resolve(`${textFacePackage}/package.json`))

const family = 'Source Serif 4 Variable'

/** What nearly every English page needs and little else: letters, digits, and the signs that prose is set with. */
const basic = 'U+20-7E,U+A0,U+2013-2014,U+2018-2019,U+201C-201D,U+2026'

/** No sign is drawn for these, and every text has some. */
const controls = 'U+0-1F,U+7F-9F'

/** The weights that pages use, from their text to what is strong in it. */
const weights = { min: 400, max: 700 }

interface Part {
  name: string
  /** The package's own file that holds it. */
  from: string
  range: string
}

/** The later a part stands, the earlier a browser takes it where two have the same sign. */
export function partsOf(ranges: Readonly<Record<string, string>>): Part[] {
  const whole = ['cyrillic-ext', 'cyrillic', 'greek', 'vietnamese', 'latin-ext', 'latin']
  return [
    ...whole.map((name) => {
      const range = ranges[name]
      if (range === undefined) throw new Error(`${textFacePackage} has no part named ${name} any more.`)
      return { name, from: name, range: name === 'latin' ? without(range, `${basic},${controls}`) : range }
    }),
    { name: 'basic', from: 'latin', range: basic },
  ]
}

export interface Face {
  file: string
  style: 'normal' | 'italic'
  /** As in CSS: the signs it is for. */
  range: string
}

/** Writes the files, `text-face.css` which names them, and `faces.json` which says the same to the server. */
export async function writeTextFace(folder: string): Promise<void> {
  const ranges = JSON.parse(readFileSync(path.join(source, 'unicode.json'), 'utf8')) as Record<string, string>
  const faces: (Face & { bytes: Uint8Array })[] = []
  for (const { name, from, range } of partsOf(ranges)) {
    for (const style of ['normal', 'italic'] as const) {
      const whole = readFileSync(path.join(source, `files/source-serif-4-${from}-wght-${style}.woff2`))
      const bytes = await subsetFont(whole, signsOf(range), {
        targetFormat: 'woff2',
        variationAxes: { wght: weights },
        // What is not asked for by any style sheet stays out.
        keepFeatures: ['kern', 'liga', 'ccmp', 'locl', 'mark', 'mkmk'],
        noHinting: true,
      })
      faces.push({ file: `text-${name}-${style}.woff2`, style, range, bytes })
    }
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { file, bytes } of faces) writeFileSync(path.join(folder, file), bytes)
  writeFileSync(path.join(folder, 'text-face.css'), faces.map(rule).join('\n') + '\n')
  const list: Face[] = faces.map(({ file, style, range }) => ({ file, style, range }))
  writeFileSync(path.join(folder, 'faces.json'), JSON.stringify(list))
}

/** What `writeTextFace` makes its files of, in short: they are made anew only when this changes. */
export const textFaceDigest = () =>
  createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(readFileSync(path.join(source, 'package.json')))
    .update(readFileSync(require.resolve('subset-font/package.json')))
    .digest('hex')

const rule = ({ file, style, range }: Face) => `@font-face {
  font-family: '${family}';
  font-style: ${style};
  font-weight: ${weights.min} ${weights.max};
  font-display: swap;
  src: url('./${file}') format('woff2');
  unicode-range: ${range};
}`

/** The code points of a range as CSS writes it. */
const codePoints = (range: string): number[] =>
  range.split(',').flatMap((one) => {
    const [from = '', to = from] = one.trim().replace(/^U\+/i, '').split('-')
    const first = Number.parseInt(from, 16)
    return Array.from({ length: Number.parseInt(to, 16) - first + 1 }, (_, i) => first + i)
  })

const signsOf = (range: string) =>
  codePoints(range)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
    .join('')

/** A range with those of another taken out. */
function without(range: string, other: string): string {
  const gone = new Set(codePoints(other))
  const left = codePoints(range).filter((point) => !gone.has(point))
  const runs: [number, number][] = []
  for (const point of left) {
    const last = runs.at(-1)
    if (last && last[1] === point - 1) last[1] = point
    else runs.push([point, point])
  }
  const hex = (point: number) => point.toString(16).toUpperCase()
  return runs.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(',')
}
