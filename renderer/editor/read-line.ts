import { linkAddress } from '../../server/domain/link-address.ts'
import { decodeReferences } from '../../server/markdown/entities.ts'
import { mathsWithin } from '../../server/markdown/maths.ts'
import { readContext } from './stray-marks.ts'

export { lineSigns } from '../../server/domain/sign-change.ts'

/** What begins or ends lines of code. */
export const fence = /^[ \t]*(?:`{3}|~{3})/

/** What signs mean nothing in, from the left on: code, formulas and pictures. */
const wholes = new RegExp(
  [
    '(?<!`)(?<ticks>`+)(?!`)(?<code>.+?)(?<!`)\\k<ticks>(?!`)',
    `(?<maths>${mathsWithin.source})`,
    String.raw`!\[(?<name>[^[\]]*)\]${linkAddress}`,
  ].join('|'),
  'g',
)
/** Stands for one of them. */
const instead = '\uE000'

/** Between these stands the source of what is drawn as a whole. */
const [open, close] = ['\uE001', '\uE002']
const drawn = new RegExp(`${open}([^${open}${close}]*)${close}`)
const ownSigns = new RegExp(`[${instead}${open}${close}]`, 'g')

/** A line as people read it, without the signs of bold, italics, links, code and pictures, and with what references stand for. */
export const readLine = (line: string): string => read(line, false)

/** The same, for who draws formulas and pictures: `partsOf` parts them from the words. */
export const readDrawn = (line: string): string => read(line, true)

/** The source of a formula or a picture, as `readDrawn` has it. */
export const asDrawn = (source: string): string => `${open}${source}${close}`

/** Words, and in every second place, the source of a formula or a picture. */
export const partsOf = (words: string): string[] =>
  words.split(drawn).map((part, i) => (i % 2 ? part : part.replace(ownSigns, '')))

function read(line: string, isDrawn: boolean): string {
  const held: string[] = []
  const hold = (words: string) => {
    held.push(words)
    return instead
  }
  const rest = line.replace(ownSigns, '').replace(wholes, (source: string, ...found) => {
    const { code, maths, name } = found.at(-1) as Record<string, string | undefined>
    if (code !== undefined) return hold(code)
    if (isDrawn) return hold(asDrawn(source))
    return maths === undefined ? name || 'a picture' : hold(source)
  })
  // In code a reference such as `&lt;` stands for itself.
  return decodeReferences(readContext(rest)).replaceAll(instead, () => held.shift() ?? '')
}
