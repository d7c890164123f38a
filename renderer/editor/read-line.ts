import { linkAddress } from '../../server/domain/link-address.ts'
import { decodeReferences } from '../../server/markdown/entities.ts'
import { mathsWithin } from '../../server/markdown/maths.ts'
import { readContext } from './stray-marks.ts'

export { lineSigns } from '../../server/domain/sign-change.ts'

/** What begins or ends lines of code. */
export const fence = /^[ \t]*(?:`{3}|~{3})/

/** What signs mean nothing in, from the left on: code, formulas and pictures. */
export const wholes = [
  '(?<!`)(?<ticks>`+)(?!`)(?<code>.+?)(?<!`)\\k<ticks>(?!`)',
  `(?<maths>${mathsWithin.source})`,
  String.raw`!\[(?<name>[^[\]]*)\]${linkAddress}`,
].join('|')
const anyWhole = new RegExp(wholes, 'g')
/** Stands for one of them. */
const instead = '\uE000'

/** Between these stands the source of what is drawn as a whole. */
const [open, close] = ['\uE001', '\uE002']
const drawn = new RegExp(`${open}([^${open}${close}]*)${close}`)
const ownSigns = new RegExp(`[${instead}${open}${close}]`, 'g')

/** A line as people read it, without the signs of bold, italics, links, code and pictures, and with what references stand for. */
export const readLine = (line: string): string => read(line, [])

/** The same, for who draws formulas and pictures: `partsOf` parts them from the words. */
export const readDrawn = (line: string): string => read(line, ['maths', 'name'])

/** The same, for who draws formulas, and has of pictures what is said of them. */
export const readWithFormulas = (line: string): string => read(line, ['maths'])

/** A source with its formulas to be drawn, and nothing else of it read. */
export const withFormulas = (source: string): string =>
  source.replace(ownSigns, '').replace(anyWhole, (whole: string, ...found) => {
    const { maths } = found.at(-1) as Record<string, string | undefined>
    return maths === undefined ? whole : asDrawn(maths)
  })

/** The source of what is to be drawn, as they have it. */
export const asDrawn = (source: string): string => `${open}${source}${close}`

/** Words, and in every second place, the source of what is to be drawn. */
export const partsOf = (words: string): string[] =>
  words.split(drawn).map((part, i) => (i % 2 ? part : part.replace(ownSigns, '')))

function read(line: string, drawn: readonly ('maths' | 'name')[]): string {
  const held: string[] = []
  const hold = (words: string) => {
    held.push(words)
    return instead
  }
  const rest = line.replace(ownSigns, '').replace(anyWhole, (source: string, ...found) => {
    const groups = found.at(-1) as Record<string, string | undefined>
    const { code, maths, name } = groups
    if (code !== undefined) return hold(code)
    if (drawn.some((kind) => groups[kind] !== undefined)) return hold(asDrawn(source))
    return maths === undefined ? name || 'a picture' : hold(source)
  })
  // In code a reference such as `&lt;` stands for itself.
  return decodeReferences(readContext(rest)).replaceAll(instead, () => held.shift() ?? '')
}
