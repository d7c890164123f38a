import type { ChangeDesc, ChangeSet, Text } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'

/** Words that others have put in amid what was taken out here, of which they hadn’t heard. */
export interface Parted {
  /** Where these stand now. */
  at: Range
  /** What stands now in place of what was taken out, these included. */
  within: Range
  /** What was taken out before them and behind them. */
  before: string
  behind: string
}

const most = 100

/**
 * @param changes what others have changed of the text `before`
 * @param own what had been changed of it here, `ours` the same after theirs, and `over` theirs after that
 */
export function partedBy(
  changes: ChangeSet,
  {
    before,
    own,
    ours,
    over,
  }: { before: Text; own: ChangeDesc; ours: readonly ChangeDesc[]; over: ChangeDesc },
): Parted[] {
  const found: Parted[] = []
  const gone: (Range & { within: Range })[] = []
  own.iterChangedRanges((start, end, from, to) => {
    if (start < end)
      gone.push({ start, end, within: { start: over.mapPos(from, -1), end: over.mapPos(to, 1) } })
  })
  if (gone.length === 0) return []
  const now = (at: number, side: -1 | 1) => ours.reduce((place, one) => one.mapPos(place, side), at)
  changes.iterChangedRanges((_from, to, fromB, toB) => {
    const here = gone.find(({ start, end }) => start <= to && to <= end)
    if (fromB === toB || !here || found.length === most) return
    found.push({
      at: { start: now(fromB, 1), end: now(toB, -1) },
      within: here.within,
      before: before.sliceString(here.start, to),
      behind: before.sliceString(to, here.end),
    })
  }, true)
  return found
}

/** Where they stand after one more change. */
export const partedAfter = (all: readonly Parted[], changes: ChangeDesc): Parted[] =>
  all.map(({ at, within, ...words }) => ({
    at: { start: changes.mapPos(at.start, 1), end: changes.mapPos(at.end, -1) },
    within: { start: changes.mapPos(within.start, -1), end: changes.mapPos(within.end, 1) },
    ...words,
  }))
