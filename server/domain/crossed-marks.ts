import { ChangeSet, type ChangeDesc, type Text } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import { marksAmong } from './mark-pair.ts'
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
  const put: { start: number; text: string }[] = []
  changes.iterChanges((from, to, start, _end, inserted) => {
    if (from === to && inserted.length > 0) put.push({ start, text: inserted.toString() })
  })
  return marksAmong(put.map(({ text }) => text)).pairs.flatMap((pair) => {
    const [open, close] = pair.map(({ run, from, to, text }) => {
      const range = {
        start: after.reduce((at, one) => one.mapPos(at, 1), put[run]!.start + from),
        end: after.reduce((at, one) => one.mapPos(at, -1), put[run]!.start + to),
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
  const marks = marksByPlace([...byMine, ...byTheirs].flatMap(({ open, close }) => [open, close]))
  const known = (all: readonly Pair[]) =>
    all.flatMap((pair) => lettersIn(text, wordsOf(pair), marks).map((words) => ({ ...pair, words })))
  const [mine, others] = [known(byMine), known(byTheirs)]
  const meeting = mine.filter((one) => others.some((other) => meet(wholeOf(one), wholeOf(other))))
  const moving = mine.filter((one) => meeting.some((other) => meet(wholeOf(one), wholeOf(other))))
  const pieces: Piece[] = []
  // The outer ones are cut first.
  for (const one of moving) {
    const near = others.filter((other) => meet(wholeOf(one), wholeOf(other)))
    const reach = near.map(wholeOf).reduce(hull, wholeOf(one))
    const earlier = pieces.filter(({ words }) => meet(reach, words))
    pieces.push(...piecesOf(text, one, { theirs: near, earlier, marks }))
  }
  const taken = moving.flatMap(({ open, close }) => [open, close])
  const isTaken = new Set(taken)
  // Of what ends at one place the inner ends first, and of what begins there the outer begins first.
  const ends = pieces
    .toReversed()
    .sort((a, b) => b.words.start - a.words.start)
    .map(({ of, at }): PutMark => ({ at: at.end, mark: of.close, says: of.put[1] }))
  const begins = pieces
    .toSorted((a, b) => b.words.end - a.words.end)
    .map(({ of, at }): PutMark => ({ at: at.start, mark: of.open, says: of.put[0] }))
  const rest = byMine.flatMap(({ open, close }) => [open, close]).filter((one) => !isTaken.has(one))
  return marksPut(text.length, { taken, put: [...ends, ...begins], others: rest })
}

/** A pair of marks with the words that it is around, from the first letter to the last. */
type Known = Pair & { words: Range }

const wordsOf = ({ open, close }: Pair): Range => ({ start: open.end, end: close.start })
const wholeOf = ({ open, close }: Pair): Range => ({ start: open.start, end: close.end })
const meet = (one: Range, other: Range) => one.start < other.end && other.start < one.end
const hull = (one: Range, other: Range): Range => ({
  start: Math.min(one.start, other.start),
  end: Math.max(one.end, other.end),
})
const isWithin = (one: Range, other: Range) => other.start <= one.start && one.end <= other.end

/** What a pair of one’s own marks comes to be around, and where its marks are to be. */
interface Piece {
  of: Known
  words: Range
  at: Range
}

/**
 * Where one’s own marks can stand so that none crosses another’s, or a piece of one’s own: all of these nest among
 * themselves.
 */
function piecesOf(
  text: Text,
  mine: Known,
  { theirs, earlier, marks }: { theirs: readonly Known[]; earlier: readonly Piece[]; marks: MarksByPlace },
): Piece[] {
  const own = kindOf(mine)
  const isSame = (one: Pair) => own === kindOf(one) && (own !== 'signs' || mine.put[0] === one.put[0])
  const cut = (pieces: readonly Range[], by: (piece: Range) => Range[]) =>
    pieces.flatMap((piece) => by(piece).flatMap((part) => lettersIn(text, part, marks)))
  let pieces: Range[] = [mine.words]
  if (own !== 'code')
    for (const { words } of theirs.filter((one) => kindOf(one) === 'code'))
      pieces = pieces.map((piece) =>
        meet(piece, words)
          ? { start: Math.min(piece.start, words.start), end: Math.max(piece.end, words.end) }
          : piece,
      )
  // Those that come to be around all of another’s code say the same twice.
  const again = earlier.filter(({ of }) => isSame(of))
  for (const { words } of [...theirs.filter(isSame), ...again])
    pieces = cut(pieces, (piece) => outside(piece, words))
  const others = theirs.filter((one) => !isSame(one))
  for (const { words } of [...others, ...earlier])
    pieces = cut(pieces, (piece) => {
      const isNested = isWithin(piece, words) || (own !== 'code' && isWithin(words, piece))
      return isNested || !meet(piece, words)
        ? [piece]
        : [
            ...outside(piece, words),
            { start: Math.max(piece.start, words.start), end: Math.min(piece.end, words.end) },
          ]
    })
  const inner = own === 'code' ? [] : others
  return pieces
    .sort((a, b) => a.start - b.start)
    .map((piece) => {
      const within = inner.filter(({ words }) => isWithin(words, piece))
      const [first, last] = [
        within.filter(({ words }) => words.start === piece.start).map(({ open }) => open.start),
        within.filter(({ words }) => words.end === piece.end).map(({ close }) => close.end),
      ]
      const at = { start: Math.min(piece.start, ...first), end: Math.max(piece.end, ...last) }
      return { of: mine, words: piece, at }
    })
}

const outside = (words: Range, part: Range): Range[] =>
  meet(words, part)
    ? [
        { start: words.start, end: Math.max(words.start, part.start) },
        { start: Math.min(words.end, part.end), end: words.end },
      ]
    : [words]

/** Where marks that begin at a place end, and where those that end there begin. */
interface MarksByPlace {
  ends: ReadonlyMap<number, number>
  starts: ReadonlyMap<number, number>
}
const marksByPlace = (marks: readonly Range[]): MarksByPlace => ({
  ends: new Map(marks.map(({ start, end }) => [start, end])),
  starts: new Map(marks.map(({ start, end }) => [end, start])),
})

/** From the first letter of a stretch to the last, without white space and marks around these; nothing where there are none. */
function lettersIn(text: Text, { start, end }: Range, marks: MarksByPlace): Range[] {
  const isBlank = (at: number) => at >= start && at < end && text.sliceString(at, at + 1).trim() === ''
  for (let isMore = true; isMore;) {
    const before = { start, end }
    while (isBlank(start)) start++
    while (isBlank(end - 1)) end--
    const [next, last] = [marks.ends.get(start) ?? start, marks.starts.get(end) ?? end]
    if (next <= end) start = next
    if (last >= start) end = last
    isMore = start !== before.start || end !== before.end
  }
  return /[^\s*_~`[\]]/.test(text.sliceString(start, end)) ? [{ start, end }] : []
}
