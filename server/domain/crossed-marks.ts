import { ChangeSet, type ChangeDesc, type Text } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import { marksIn, pairUp } from './mark-pair.ts'
import { marksPut, type MarksPut, type PutMark } from './marks-put.ts'
import type { RebasedChange } from './rebase.ts'

/** Marks around words that one change has put in, as bold or a link has them. */
interface Pair {
  open: Range
  close: Range
  /** What they say. */
  put: readonly [open: string, close: string]
}

/** In code signs are no marks, and a link has no other in it. */
type Kind = 'signs' | 'code' | 'link'
const kindOf = ({ put: [open] }: Pair): Kind =>
  open === '[' ? 'link' : open.includes('`') ? 'code' : 'signs'

/** The pairs of marks that a change puts in and that stand as they were put, by their places after some more changes. */
function pairsOf(changes: ChangeSet, after: readonly ChangeDesc[]): Pair[] {
  const put: (Range & { text: string })[] = []
  changes.iterChanges((from, to, start, _end, inserted) => {
    if (from !== to) return
    for (const text of marksIn(inserted.toString())) {
      put.push({ start, end: start + text.length, text })
      start += text.length
    }
  })
  return pairUp(put).flatMap((pair) => {
    const [open, close] = pair.map(({ start, end, text }) => {
      const range = {
        start: after.reduce((at, one) => one.mapPos(at, 1), start),
        end: after.reduce((at, one) => one.mapPos(at, -1), end),
      }
      return range.end - range.start === text.length ? range : null
    })
    return open && close ? { open, close, put: [pair[0].text, pair[1].text] as const } : []
  })
}

/**
 * What keeps marks that were put in here from crossing those that another has put in meanwhile, which would then show as
 * signs: one’s own are around the words on either side of where they cross, each for itself. Code that another has made is
 * marked as a whole; one’s own code leaves out others’ marks, and what would say the same twice is around the rest. By the order of the log it is for the
 * second to do.
 * @param waiting what waits here, one after the other
 * @param ours the same after theirs
 * @param over what theirs is for the text here
 * @param text what all of these leave
 */
export function crossedMarks(
  waiting: readonly RebasedChange[],
  ours: readonly ChangeSet[],
  { theirs, over, text }: { theirs: ChangeSet; over: ChangeSet; text: Text },
): MarksPut {
  const byTheirs = pairsOf(theirs, ours)
  if (byTheirs.length === 0) return { changes: ChangeSet.empty(text.length), standing: [] }
  const byMine = waiting.flatMap(({ changes }, i) => {
    const later = waiting.slice(i + 1).map((one) => one.changes)
    return pairsOf(changes, [...later, over])
  })
  const moved = byMine.flatMap((mine) => {
    const words = { start: mine.open.end, end: mine.close.start }
    const pieces = byTheirs.reduce((all, one) => all.flatMap((piece) => around(mine, piece, one)), [words])
    const isSame = pieces.length === 1 && pieces[0]!.start === words.start && pieces[0]!.end === words.end
    return isSame ? [] : [{ mine, pieces }]
  })
  const taken = moved.flatMap(({ mine: { open, close } }) => [open, close])
  const ofTheirs = byTheirs.flatMap(({ open, close }) => [open, close])
  const put = moved.map(({ mine, pieces }) => ({
    mine,
    pieces: pieces.flatMap((one) => wordsIn(text, one, taken, ofTheirs)),
  }))
  // Of what ends at one place the inner ends first, and of what begins there the outer begins first.
  const ends = put
    .toReversed()
    .flatMap(({ mine, pieces }) =>
      pieces.map(({ end }): PutMark => ({ at: end, mark: mine.close, says: mine.put[1] })),
    )
  const begins = put.flatMap(({ mine, pieces }) =>
    pieces.map(({ start }): PutMark => ({ at: start, mark: mine.open, says: mine.put[0] })),
  )
  const others = byMine.flatMap(({ open, close }) => [open, close]).filter((one) => !taken.includes(one))
  return marksPut(text.length, { taken, put: [...ends, ...begins], others })
}

/** What of some words one’s own marks can be around where another’s marks are. */
function around(mine: Pair, words: Range, theirs: Pair): Range[] {
  const [own, other] = [kindOf(mine), kindOf(theirs)]
  const whole = { start: theirs.open.start, end: theirs.close.end }
  if (words.end <= whole.start || words.start >= whole.end) return [words]
  const isSame = own === other && (own !== 'signs' || mine.put[0] === theirs.put[0])
  if (isSame) return without(words, whole)
  if (own === 'code')
    return [theirs.open, theirs.close].reduce(
      (all, one) => all.flatMap((piece) => without(piece, one)),
      [words],
    )
  const isWithin = ({ start, end }: Range) => words.start <= start && end <= words.end
  const crossing = [theirs.open, theirs.close].filter(isWithin)
  // Where both begin or end at one place, mine can be around theirs.
  const wider = {
    start: theirs.open.end === mine.open.start ? Math.min(words.start, theirs.open.start) : words.start,
    end: theirs.close.start === mine.close.end ? Math.max(words.end, theirs.close.end) : words.end,
  }
  if (other !== 'code' && crossing.length === 1 && wider.start <= whole.start && whole.end <= wider.end)
    return [wider]
  if (other === 'code')
    return crossing.length === 2
      ? [words]
      : [{ start: Math.min(words.start, whole.start), end: Math.max(words.end, whole.end) }]
  return crossing.length === 1 ? without(words, crossing[0]!) : [words]
}

const without = (words: Range, part: Range): Range[] =>
  part.end <= words.start || part.start >= words.end
    ? [words]
    : [
        { start: words.start, end: Math.max(words.start, part.start) },
        { start: Math.min(words.end, part.end), end: words.end },
      ]

/** Marks stand right beside words, and around nothing else. */
function wordsIn(text: Text, words: Range, taken: readonly Range[], others: readonly Range[]): Range[] {
  const read = ({ start, end }: Range) => text.sliceString(start, end)
  const parts = taken.reduce((all, one) => all.flatMap((part) => without(part, one)), [words])
  const has = (part: Range) =>
    others
      .reduce((all, one) => all.flatMap((part) => without(part, one)), [part])
      .some((part) => /[^\s*_~`[\]]/.test(read(part)))
  const [first, last] = [
    parts.find((part) => read(part).trim() !== ''),
    parts.findLast((part) => read(part).trim() !== ''),
  ]
  if (!first || !last || !parts.some(has)) return []
  return [
    {
      start: first.end - read(first).trimStart().length,
      end: last.start + read(last).trimEnd().length,
    },
  ]
}
