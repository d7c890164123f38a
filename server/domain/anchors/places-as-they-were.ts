import type { Anchor, Range } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import type { TextChange } from '../change-map.ts'
import { commonPrefix, commonSuffix } from '../common-ends.ts'
import type { Readable } from '../pieced-text.ts'
import { rangesWithin } from '../ranges.ts'
import { CONTEXT } from './anchor.ts'
import { findExact } from './exact-search.ts'

/** So far from where a place is, what stood around it is looked for. */
const NEAR = 2_000
/** A place is where it was as long as so much on one side is as it was. */
const TELLING = 12
/** So much an anchor has to know of both sides together for that to say where they are, or all of the text. */
const ENOUGH = CONTEXT

/** A place after a change, by all else that is known of it. */
interface Followed {
  anchor: Anchor
  at: number
}

/**
 * Where a change has put back all that stood around a place that has lost it: words that were taken out beside it, and
 * come again by undoing or by hand, come behind a place of which nothing says on which side they were. All that its
 * anchor knows of has to be there as it was, made so by the change, and once near the place. Null for all others: one
 * that others only write beside isn't drawn to a copy of what stood around it.
 */
export function placesAsTheyWere(
  places: readonly (Followed | null)[],
  { after, map }: TextChange<Readable>,
  budget: Budget,
): (number | null)[] {
  const touched = map.hunks.map(({ fromB, toB }) => ({ start: fromB, end: toB }))
  return places.map((place) => place && placeAsItWas(place, touched, after, budget))
}

function placeAsItWas(
  { anchor, at }: Followed,
  touched: readonly Range[],
  after: Readable,
  budget: Budget,
): number | null {
  const prefix = anchor.prefix.slice(-CONTEXT)
  const suffix = anchor.suffix.slice(0, CONTEXT)
  const around = { start: Math.max(0, at - NEAR), end: Math.min(after.length, at + NEAR) }
  if (rangesWithin(touched, around).length === 0) return null
  const left = commonSuffix(prefix, after.slice(Math.max(0, at - CONTEXT), at))
  const right = commonPrefix(suffix, after.slice(at, at + CONTEXT))
  if (Math.max(left, right) >= TELLING) return null
  budget.left -= around.end - around.start
  if (budget.left < 0) return null
  const near = after.slice(around.start, around.end)
  const [only, ...more] = findExact(near, prefix + suffix, 0, near.length, budget)
  if (!only || more.length > 0) return null
  const range = { start: around.start + only.start, end: around.start + only.end }
  const isAll = range.start === 0 && range.end === after.length
  const isTold = isAll || prefix.length + suffix.length >= ENOUGH
  return isTold && rangesWithin(touched, range).length > 0 ? range.start + prefix.length : null
}
