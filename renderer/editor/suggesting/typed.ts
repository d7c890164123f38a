import { ChangeSet, Text, type ChangeSpec } from '@codemirror/state'
import { listLine } from '../list-lines.ts'
import {
  clusterAfter,
  clusterBefore,
  isWithinWord,
  tidied,
  without,
  type Stretch,
  type Stretches,
} from './stretches.ts'

/**
 * What becomes of a change of the text in the editor where one suggests instead: what was put in by a suggestion of
 * one’s own may go again, and what stands in the document stays and is taken out by one.
 */
export interface Suggested {
  /** Of the editor’s text: puts something in, or takes out what one has put in oneself. */
  changes: ChangeSpec[]
  /** What is to be taken out of the document, where it stood before. */
  takenOut: { from: number; to: number }[]
  /** What puts back, in the text that the change would have made, what stays. */
  stays: ChangeSpec[]
  /** Where the cursor goes that passed over what was taken out before, where it stood before. */
  cursor: number | null
}

/**
 * A change that takes out whole lines, the first of them an item’s or a table’s row, takes the line ends before them rather
 * than those behind: both leave the same, but behind an item somebody else may suggest another, whose place would be
 * within.
 */
export function withLineEndBefore(doc: Text, stretches: Stretches, changes: ChangeSet): ChangeSet {
  const ranges: { from: number; to: number }[] = []
  let isOther = false
  changes.iterChanges((from, to, _fromB, _toB, inserted) => {
    isOther ||= inserted.length > 0
    ranges.push({ from, to })
  }, true)
  const [range] = ranges
  if (isOther || ranges.length !== 1 || !range) return changes
  const { item, rest } = listLine(doc.lineAt(range.from))
  if (doc.lineAt(range.from).from !== range.from || !(item ?? rest.startsWith('|'))) return changes
  const isLineEnd = (at: number) => doc.sliceString(at, at + 1) === '\n'
  const kindAt = (at: number) => stretches.find(({ from, to }) => from <= at && to > at)?.kind
  const movesTo = (at: number, from: number) =>
    isLineEnd(at) && isLineEnd(from) && kindAt(at) !== 'taken out' && kindAt(from) === undefined
  let by = 0
  while (range.from - by > 0 && movesTo(range.from - by - 1, range.to - by - 1)) by++
  return ChangeSet.of({ from: range.from - by, to: range.to - by }, doc.length)
}

/** Which way somebody deletes by keys; null for neither. */
export type DeleteDirection = 'back' | 'forth' | null

export function suggestedChange(
  doc: Text,
  stretches: Stretches,
  changes: ChangeSet,
  way: DeleteDirection,
  isComposed = false,
): Suggested {
  const made: Suggested = { changes: [], takenOut: [], stays: [], cursor: null }
  changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
    // What is typed where words were just taken out reads behind them. Whoever composes is not disturbed in that.
    const behind = fromA === toA && !isComposed ? behindTakenOut(stretches, toA) : toA
    if (behind > toA) {
      const passed = doc.slice(toA, behind)
      made.changes.push({ from: behind, insert: inserted })
      made.stays.push({ from: fromB, insert: passed }, { from: toB, to: toB + passed.length })
      return
    }
    const passed = inserted.length === 0 && way ? passedOver(doc, stretches, fromA, toA, way) : null
    if (passed) made.cursor = way === 'back' ? passed.from : passed.to
    const [from, to] = passed ? [passed.from, passed.to] : [fromA, toA]
    const kept: string[] = []
    let at = from
    const takeOut = (until: number) => {
      if (at < until) made.takenOut.push({ from: at, to: until })
      if (at < until) kept.push(doc.sliceString(at, until))
    }
    for (const stretch of stretches) {
      if (stretch.to <= from || stretch.from >= to) continue
      takeOut(stretch.from)
      const [start, end] = [Math.max(from, stretch.from), Math.min(to, stretch.to)]
      if (stretch.kind === 'put in') made.changes.push({ from: start, to: end })
      else kept.push(doc.sliceString(start, end))
      at = end
    }
    takeOut(to)
    if (inserted.length > 0) made.changes.push({ from: isComposed ? from : to, insert: inserted })
    if (kept.length > 0)
      made.stays.push({ from: isComposed ? toB : fromB, insert: Text.of(kept.join('').split('\n')) })
  }, true)
  return made
}

/** The end of what is taken out from a place on, unless something is put in right there already. */
function behindTakenOut(stretches: Stretches, place: number): number {
  if (stretches.some(({ kind, to }) => kind === 'put in' && to === place)) return place
  const begins = stretches.some(({ from, kind }) => kind === 'taken out' && from === place)
  return begins ? beyond(stretches, place, 'forth') : place
}

/** Where keys delete nothing but what is taken out already, they go on to the next character that isn’t. */
function passedOver(doc: Text, stretches: Stretches, from: number, to: number, way: 'back' | 'forth') {
  const left = without(
    [{ from, to, kind: 'put in', key: 0 }],
    stretches.filter(({ kind }) => kind === 'taken out'),
  )
  if (left.length > 0) return null
  const at = beyond(stretches, way === 'back' ? from : to, way)
  return way === 'back' ? { from: clusterBefore(doc, at), to } : { from, to: clusterAfter(doc, at) }
}

/** The end of what is taken out at a place, in a direction. */
function beyond(stretches: Stretches, place: number, way: 'back' | 'forth'): number {
  let at = place
  const taken = stretches.filter(({ kind }) => kind === 'taken out')
  for (const stretch of way === 'back' ? taken.toReversed() : taken) {
    if (way === 'back' && stretch.from < at && stretch.to >= at) at = stretch.from
    if (way === 'forth' && stretch.to > at && stretch.from <= at) at = stretch.to
  }
  return at
}

/** Somewhat more than a line that is made bold or a heading. */
const onePassage = 2_000

/**
 * The stretches with new ones among them, which have no key yet (0): what touches a suggestion of one’s own, or is within
 * the same word, goes on with it, and what was done in one go within a passage is one. What is joined so takes the key of
 * the first. With one that has lost its place goes only what is typed right in it or at its end.
 */
export function withNew(
  doc: Text,
  stretches: Stretches,
  isOnePassage: boolean,
  nextKey: number,
  isDetached: (key: number) => boolean = () => false,
): { stretches: Stretch[]; nextKey: number } {
  const all = tidied(stretches)
  let next = nextKey
  let last: Stretch | null = null
  const joined = new Map<number, number>()
  const join = (one: number, other: number) => {
    if (one !== other) joined.set(Math.max(one, other), Math.min(one, other))
    return Math.min(one, other)
  }
  for (const [i, stretch] of all.entries()) {
    if (stretch.key !== 0) continue
    const apart = [all[i - 1], all[i + 1]].find(
      (beside) =>
        beside !== undefined &&
        isDetached(beside.key) &&
        stretch.kind === 'put in' &&
        (beside.to === stretch.from || beside.from === stretch.to),
    )
    if (apart) {
      stretch.key = apart.key
      continue
    }
    const [before, after] = [all[i - 1], all[i + 1]].map((beside) =>
      beside && isDetached(beside.key) ? undefined : beside,
    )
    let key: number | null = null
    if (before && before.key !== 0 && isWithinWord(doc, before.to, stretch.from)) key = before.key
    if (after && after.key !== 0 && isWithinWord(doc, stretch.to, after.from))
      key = key === null ? after.key : join(key, after.key)
    if (isOnePassage && last && isPassage(doc, last.to, stretch.from))
      key = key === null ? last.key : join(key, last.key)
    stretch.key = key ?? next++
    last = stretch
  }
  const keyOf = (key: number): number => (joined.has(key) ? keyOf(joined.get(key)!) : key)
  const keyed = all.map((stretch) => ({ ...stretch, key: keyOf(stretch.key) }))
  return { stretches: tidied(enclosed(keyed, isDetached)), nextKey: next }
}

const isPassage = (doc: Text, from: number, to: number) =>
  to - from <= onePassage && doc.lineAt(to).number - doc.lineAt(from).number <= 1

/** What stands between the stretches of a suggestion is its, too: no two are within one another. */
function enclosed(stretches: readonly Stretch[], isDetached: (key: number) => boolean): Stretch[] {
  const ends = new Map<number, number>()
  for (const { key, to } of stretches) ends.set(key, to)
  let open: number | null = null
  let until = 0
  return stretches.map((stretch) => {
    if (isDetached(stretch.key)) return stretch
    if (open === null || stretch.from >= until) {
      open = stretch.key
      until = ends.get(open)!
    } else if (stretch.key !== open) until = Math.max(until, ends.get(stretch.key)!)
    return open === stretch.key ? stretch : { ...stretch, key: open }
  })
}
