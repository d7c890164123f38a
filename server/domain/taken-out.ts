import type { ChangeDesc } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import type { Hunk } from './hunk.ts'
import type { TakenWords } from './taken-words.ts'

/** What two sides that changed one passage took out of it. */

/** What was taken out in one place, and how much of it only one side took. */
export interface TakenOut extends Range {
  byMine: number
  byTheirs: number
}

type Side = readonly [text: string, hunks: readonly Hunk[]]

/**
 * Where two sides took something out of one passage, if neither did anything else there: then neither has written
 * anything, and nothing collides.
 */
export function onlyTakenOut(base: string, mine: Side, theirs: Side): TakenOut[] | null {
  const [ofMine, ofTheirs] = [removals(base, mine), removals(base, theirs)]
  if (!ofMine || !ofTheirs) return null
  const found: Range[] = []
  for (const { start, end } of [...ofMine, ...ofTheirs].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else found.push({ start, end })
  }
  const lengthWithout = (one: Range, others: readonly Range[]) =>
    others.reduce((length, other) => length - lengthOf(shared(one, other)), lengthOf(one))
  return found.map((one) => ({
    ...one,
    byMine: lengthWithout(one, ofTheirs),
    byTheirs: lengthWithout(one, ofMine),
  }))
}

/** Where one side took something out, if it did nothing else. */
function removals(base: string, [text, hunks]: Side): Range[] | null {
  const all = hunks.map((hunk) => removalsOf(base, text, hunk)).filter((one) => one !== null)
  return all.length < hunks.length ? null : all.flat()
}

/** Where something was taken out and no more was done; null for any other change. A shorter word is another one. */
function removalsOf(base: string, text: string, { fromA, toA, fromB, toB }: Hunk): Range[] | null {
  const left = text.slice(fromB, toB)
  if (left.trim() !== '') return null
  const found: Range[] = []
  let at = fromA
  // White space that stands there still is what is left between words.
  for (const sign of left) {
    const place = base.indexOf(sign, at)
    if (place < 0 || place >= toA) return null
    found.push({ start: at, end: place })
    at = place + sign.length
  }
  found.push({ start: at, end: toA })
  return found.filter(({ start, end }) => start < end)
}

/** What changes take out, to the letter. */
export function takenOutBy(changes: ChangeDesc): Range[] {
  const found: Range[] = []
  changes.iterChangedRanges((start, end) => {
    if (start < end) found.push({ start, end })
  })
  return found
}

interface BothHunks {
  byMine: readonly Hunk[]
  byTheirs: readonly Hunk[]
}

/** What I took out of it and they left, with which it stands there. */
export const standingOf = (
  base: string,
  { byMine, byTheirs }: BothHunks,
  at: Range,
  theyTook: readonly Range[] = byTheirs.map(rangeOf),
): TakenWords[] => takenOf(base, byMine, at, (mine) => between(sharedWith(mine, theyTook), mine))

const sharedWith = (mine: Range, theirs: readonly Range[]) =>
  theirs.map((one) => shared(mine, one)).filter((one) => one.start < one.end)

function takenOf(
  base: string,
  byMine: readonly Hunk[],
  at: Range,
  takenIn: (mine: Range) => Range[],
): TakenWords[] {
  return byMine.map(rangeOf).flatMap((mine) => {
    const taken = takenIn(mine).map(({ start, end }) => ({
      start: start - mine.start,
      end: end - mine.start,
    }))
    return taken.length > 0 ? [{ words: base.slice(mine.start, mine.end), taken, at, numbers: null }] : []
  })
}

const rangeOf = ({ fromA, toA }: Hunk): Range => ({ start: fromA, end: toA })

const lengthOf = ({ start, end }: Range) => Math.max(0, end - start)

const shared = (a: Range, b: Range): Range => ({
  start: Math.max(a.start, b.start),
  end: Math.min(a.end, b.end),
})

/** What lies between ranges that are in order, within another. */
function between(ranges: readonly Range[], { start, end }: Range): Range[] {
  const ends = [start, ...ranges.map((one) => one.end)]
  const starts = [...ranges.map((one) => one.start), end]
  return ends.map((from, i) => ({ start: from, end: starts[i]! })).filter((one) => one.start < one.end)
}
