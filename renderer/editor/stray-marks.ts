import { linkAddress } from '../../server/domain/link-address.ts'

/**
 * Of words that are replaced across bold or a link, one half of the marks goes with them, and comes back with the new ones:
 * `very[ wide** for a [good]` becomes `very[** narrow without []`. Nobody has changed these, so nobody needs to see them.
 */
interface StrayMark {
  from: number
  to: number
  sign: string
}

const signs = new RegExp(String.raw`\\.|\*{1,3}|~~|\[|\](?:${linkAddress})?`, 'gs')
const isApart = (character: string | undefined) => character === undefined || /\s/.test(character)

/** The marks whose other half is elsewhere. */
export const strayMarks = (text: string): StrayMark[] => readMarks(text).stray

/** From where to where marks and what they are around go, each with the sign that begins it. */
export const markPairs = (text: string): StrayMark[] => readMarks(text).pairs

function readMarks(text: string): { stray: StrayMark[]; pairs: StrayMark[] } {
  const open: StrayMark[] = []
  const pairs: StrayMark[] = []
  for (const { 0: sign, index } of text.matchAll(signs)) {
    const mark = { from: index, to: index + sign.length, sign }
    const [before, after] = [text[index - 1], text[mark.to]]
    if (sign.startsWith('\\')) continue
    const opened = open.findLastIndex((one) => one.sign === '[')
    // Of a note, a footnote or a link that leads elsewhere in the text.
    if (sign === ']') {
      if (opened >= 0) open.splice(opened, 1)
      continue
    }
    // Alone between spaces it is no mark; nor is a bracket within a word.
    if (before !== undefined && after !== undefined && isApart(before) && isApart(after)) continue
    if (sign === '[' && !isApart(before) && !/[*~_(]/.test(before!)) continue
    const other = sign.startsWith(']') ? opened : open.findLastIndex((one) => one.sign === sign)
    if (other >= 0 && sign !== '[') pairs.push({ ...open.splice(other, 1)[0]!, to: mark.to })
    else open.push(mark)
  }
  return { stray: open, pairs }
}

/** Where marks stand that go with some words and come back with others, in the same order. */
export function keptMarks(removed: string, added: string): { removed: StrayMark[]; added: StrayMark[] } {
  const kept: { removed: StrayMark[]; added: StrayMark[] } = { removed: [], added: [] }
  const after = strayMarks(added)
  for (const mark of strayMarks(removed)) {
    const at = after.findIndex(({ sign }) => sign === mark.sign)
    if (at < 0) continue
    kept.removed.push(mark)
    kept.added.push(after[at]!)
    after.splice(0, at + 1)
  }
  return kept
}

/** A text without some of its marks. */
export const withoutMarks = (text: string, marks: readonly StrayMark[]): string =>
  marks.reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text)

const link = new RegExp(String.raw`(?<!!)\[([^[\]]*)\](?:${linkAddress}|\([^()\s]*(?=(?:\s*…)?$))`, 'g')
/** What began before the words that are shown, or ends behind them. */
const cutLink = new RegExp(
  String.raw`\](?:${linkAddress}|\([^()\s]*)|(?<=^|[\s*_~(\uE000])\[(?=[^\]]*$)`,
  'g',
)
/** Stands for the words that a context was cut off from. */
const words = '\uE000'

/** A line, or a part of one, without the marks of bold, italics and links, as people read it. */
export const readContext = (text: string): string =>
  text
    .replace(link, '$1')
    .replace(cutLink, '')
    .replace(/\\.|\*{1,3}|~~/gs, (sign, at: number, all: string) => {
      const isAlone = isApart(all[at - 1]) && isApart(all[at + sign.length])
      return sign.startsWith('\\') || isAlone ? sign : ''
    })

/** What stands before and behind a passage, as people read it: a mark right beside the passage belongs to its words. */
export const readAround = ([before, behind]: readonly [string, string]): [string, string] => [
  readContext(before + words).replace(words, ''),
  readContext(words + behind).replace(words, ''),
]
