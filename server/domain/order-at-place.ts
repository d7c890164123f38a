import type { Range } from '../contract/records/anchors.ts'
import type { Beside } from '../contract/records/suggestions.ts'
import type { PlaceBefore } from './anchors/place-before.ts'
import { sideOfLine } from './line-edges.ts'

/** The words that a suggestion is for, none where it only puts something in, and its turn at its place: a number that grows. */
export interface Turn extends Range {
  turn: number
  /** Of what is only put in: where it stood before decisions that took out what stood there. */
  takenOut?: readonly PlaceBefore[] | undefined
}

/**
 * Whether what one suggestion makes of its place stands before what another makes of its own, once both are accepted. The
 * one rule of that, by which the server accepts and an editor draws: what is for words stays with these; of what is put in
 * at one place, that comes first whose turn is first, unless a decision has brought them there by taking out what stood
 * between them.
 */
export function standsBefore(one: Turn, other: Turn): boolean {
  const isPlace = ({ start, end }: Range) => start === end
  if (isPlace(one) && isPlace(other) && one.start === other.start) return apartBefore(one, other) < 0
  return one.end <= other.start
}

/** Less than nothing where the one stood before the other when they stood apart last, or has its turn before it. */
function apartBefore({ turn, takenOut = [] }: Turn, other: Turn): number {
  for (const { revision, start, isBack } of takenOut.toReversed()) {
    const its = isBack ? undefined : other.takenOut?.find((one) => one.revision === revision && !one.isBack)
    if (its && its.start !== start) return start - its.start
  }
  return turn === other.turn ? 0 : turn - other.turn
}

/** What was accepted: the words of a text that it was for, or its place, and where it stands in the new one. */
export interface TurnPut extends Turn {
  place: Range
}

/**
 * Where what is to be put in at a place stands once others were accepted there: behind those that stand before it, before
 * the rest of them. Null where none was.
 */
export function placeAmong(own: Turn, beside: readonly TurnPut[]): number | null {
  if (beside.length === 0) return null
  const before = beside.filter((one) => standsBefore(one, own))
  if (before.length > 0) return Math.max(...before.map(({ place }) => place.end))
  return Math.min(...beside.map(({ place }) => place.start))
}

/** In the order of the text, by that rule. */
export const byPlace = (one: Turn, other: Turn): number =>
  one.start - other.start || one.end - other.end || apartBefore(one, other)

/** Something that is to be put in. */
export interface ToPutIn {
  id: string
  suggested_text: string
  /** The one beside whose words it stood while these were accepted. */
  beside?: Beside | undefined
}

/**
 * In the order of their turns at one place: lines before the line there, words in it, lines behind it; and of these in the
 * order in which they were made. What stood beside another one’s words while these were accepted stays there.
 */
export function inTurn<One extends ToPutIn>(made: readonly One[]): One[] {
  const all = made.toSorted((one, other) => sideOfLine(one.suggested_text) - sideOfLine(other.suggested_text))
  const ids = new Map(all.map((one) => [one.id, one]))
  const isRoot = (one: One) => !one.beside || !ids.has(one.beside.id) || isInCircle(one, ids)
  const beside = Map.groupBy(
    all.filter((one) => !isRoot(one)),
    (one) => `${one.beside!.side} ${one.beside!.id}`,
  )
  const inOrder: One[] = []
  const waiting = all.filter(isRoot).toReversed()
  const isOpened = new Set<One>()
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (isOpened.has(one)) {
      inOrder.push(one)
      continue
    }
    isOpened.add(one)
    const on = (side: Beside['side']) => beside.get(`${side} ${one.id}`)?.toReversed() ?? []
    waiting.push(...on('behind'), one, ...on('before'))
  }
  return inOrder
}

/** Whether one is beside another that is beside it in the end. */
function isInCircle(one: ToPutIn, ids: ReadonlyMap<string, ToPutIn>): boolean {
  const passed = new Set<ToPutIn>()
  for (let next = ids.get(one.beside!.id); next && !passed.has(next); next = ids.get(next.beside?.id ?? '')) {
    if (next === one) return true
    passed.add(next)
  }
  return false
}
