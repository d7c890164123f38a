import { ChangeSet, type ChangeDesc } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'

/** A mark to be put somewhere, where it is now, and what it says. */
export interface PutMark {
  at: number
  mark: Range
  says: string
}

/** What stands before and after a change, and where. */
interface Standing {
  before: Range
  after: number
}

/** What a change of marks does, and which of them stand before and after it. */
export interface MarksPut {
  changes: ChangeSet
  standing: readonly Standing[]
}

/**
 * What puts marks where they are to be, and takes out those that are elsewhere. Whoever gave a mark is to be the one who
 * takes it back by undo; so one that is already where it is to be stays. One that goes to the other side of somebody else’s mark
 * goes in the text that all share, where theirs stays; for its own author it is theirs that is on the other side
 * (`withStanding`). Where a pair becomes several, the first mark and the last are the author’s own; undo of these finds
 * those between them as halves that say nothing, which go along.
 * @param taken marks that are put anew or not at all; `others` stay
 */
export function marksPut(
  length: number,
  { taken, put, others }: { taken: readonly Range[]; put: readonly PutMark[]; others: readonly Range[] },
): MarksPut {
  const old = taken.toSorted((a, b) => a.start - b.start)
  // Sorting keeps the order of those at one place.
  const all = put.toSorted((a, b) => a.at - b.at)
  const kept = new Set<PutMark>()
  let next = 0
  for (const one of all) {
    const found = old.indexOf(one.mark, next)
    if (found < 0 || !isBeside(old, one)) continue
    kept.add(one)
    next = found + 1
  }
  const stay = new Set([...kept].map(({ mark }) => mark))
  const fresh = all.flatMap((one, i) => {
    if (kept.has(one)) return []
    const [before, behind] = [
      all.slice(0, i).findLast((other) => kept.has(other)),
      all.slice(i).find((other) => kept.has(other)),
    ]
    const at = Math.max(before?.mark.end ?? 0, Math.min(one.at, behind?.mark.start ?? length))
    return [{ one, from: at, to: at, insert: one.says }]
  })
  const gone = old
    .filter((mark) => !stay.has(mark))
    .map(({ start, end }) => ({ from: start, to: end, insert: '' }))
  const specs = [...fresh, ...gone].sort((a, b) => a.from - b.from || a.to - b.to)
  const changes = ChangeSet.of(specs, length)
  const moved: Standing[] = fresh.map(({ one, from }, i) => {
    const before = fresh.slice(0, i).filter((other) => other.from === from)
    const start = before.reduce((at, { insert }) => at + insert.length, changes.mapPos(from, -1))
    return { before: one.mark, after: start }
  })
  const standing = [...stay, ...others].map((mark) => ({
    before: mark,
    after: changes.mapPos(mark.start, 1),
  }))
  return { changes, standing: [...standing, ...moved].sort((a, b) => a.before.start - b.before.start) }
}

/** Whether nothing but marks that are put anew stands between where a mark is and where it is to be. */
function isBeside(old: readonly Range[], { at, mark: { start, end } }: PutMark): boolean {
  let [from, to] = [start, end]
  for (const one of old) if (one.start === to) to = one.end
  for (const one of old.toReversed()) if (one.end === from) from = one.start
  return from <= at && at <= to
}

/** The same change without taking out and putting in anew what stands before and after it; `standing` in order. */
export function withStanding(changes: ChangeSet, standing: readonly Standing[]): ChangeSet {
  const specs: { from: number; to: number; insert: string }[] = []
  changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
    const put = inserted.toString()
    let [at, done] = [fromA, fromB]
    for (const { before, after } of standing) {
      const end = after + before.end - before.start
      if (before.start < at || before.end > toA || after < done || end > toB) continue
      specs.push({ from: at, to: before.start, insert: put.slice(done - fromB, after - fromB) })
      ;[at, done] = [before.end, end]
    }
    specs.push({ from: at, to: toA, insert: put.slice(done - fromB) })
  })
  return ChangeSet.of(
    specs.filter(({ from, to, insert }) => from < to || insert !== ''),
    changes.length,
  )
}

/** Where the same marks stood before another change, which left them. */
export const standingBefore = (standing: readonly Standing[], changes: ChangeDesc): Standing[] =>
  standing.map(({ before: { start, end }, after }) => ({
    before: { start: changes.invertedDesc.mapPos(start, 1), end: changes.invertedDesc.mapPos(end, -1) },
    after,
  }))
