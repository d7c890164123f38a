import type { Range } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import type { TextChange } from '../change-map.ts'
import type { Readable } from '../pieced-text.ts'
import { CONTEXT } from './anchor.ts'
import { followInsertion } from './insertion-place.ts'
import { mapAnchors, type Anchored } from './map-anchors.ts'

/** So much of what stands on a side of a place says where that is. */
const SIDE = 32
/** So many characters next to it have to be the same where these words stand, */
const LEAST = 6
/** and so many where only the comparison says so. */
const TELLING = 16

/**
 * Where places are after a change at which something is to be put in. Of a change that is known as it was made, the
 * change itself says that. One that is told by comparing may take words for others that are alike, and knows nothing of
 * passages that were moved; then the words on both sides of a place say where it is, as those of a comment say where it
 * stands. Null where they are gone, or stand apart now and it isn't known which side it belongs to.
 */
export function mapInsertions(
  places: readonly Range[],
  change: TextChange<Readable>,
  budget: Budget,
): (Range | null)[] {
  const { map, before, after, isKnown = false } = change
  const followed = places.map((place) => followInsertion(place, [map]))
  // What is known only doesn't say that words which went came back elsewhere in it.
  // And in a few words nothing goes astray, nor does enough stand around to tell.
  const isCertain = isKnown || before.length <= 2 * SIDE
  const isSaid = followed.map((place) => place !== null && isCertain)
  const sides = places.map(({ start }, i): [Anchored | null, Anchored | null] =>
    isSaid[i]
      ? [null, null]
      : [
          sideOf(before, Math.max(0, start - SIDE), start),
          sideOf(before, start, Math.min(before.length, start + SIDE)),
        ],
  )
  const all = sides.flat().filter((side) => side !== null)
  const now = mapAnchors(all, change, budget)
  const found = new Map(all.map((side, i) => [side, now[i]!]))
  const nowOf = (side: Anchored | null) => (side === null ? null : found.get(side)!)
  return places.map(({ start }, i) => {
    if (isSaid[i]) return followed[i]!
    const [left, right] = sides[i]!.map(nowOf) as [Range | null, Range | null]
    const here = followed[i]?.start
    const likely = [here, left?.end, right?.start].flatMap((at): { at: number; score: number }[] => {
      if (at === undefined) return []
      const isBeside = at === left?.end || at === right?.start
      const score = sameAround(before, start, after, at)
      return score >= (isBeside ? LEAST : TELLING) ? [{ at, score }] : []
    })
    const [best, ...others] = likely.toSorted((one, other) => other.score - one.score)
    const isClear =
      best?.at === here || others.every(({ at, score }) => at === best!.at || score < best!.score)
    return best && isClear ? { start: best.at, end: best.at } : null
  })
}

/** How many characters next to a place are the same on both sides, each up to some. */
function sameAround(before: Readable, at: number, after: Readable, now: number): number {
  const [left, leftNow] = [
    before.slice(Math.max(0, at - SIDE), at),
    after.slice(Math.max(0, now - SIDE), now),
  ]
  const [right, rightNow] = [before.slice(at, at + SIDE), after.slice(now, now + SIDE)]
  let same = 0
  while (same < left.length && left.at(-1 - same) === leftNow.at(-1 - same)) same++
  let ahead = 0
  while (ahead < right.length && right[ahead] === rightNow[ahead]) ahead++
  return same + ahead
}

function sideOf(text: Readable, start: number, end: number): Anchored | null {
  if (start === end) return null
  const anchor = {
    exact: text.slice(start, end),
    prefix: text.slice(Math.max(0, start - CONTEXT), start),
    suffix: text.slice(end, end + CONTEXT),
    start,
  }
  return { anchor, range: { start, end } }
}
