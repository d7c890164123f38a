import type { Range } from '../contract/records/anchors.ts'
import type { ChangeMap } from './change-map.ts'

/** On which side of a place of nothing something is; or the place’s own side of that. */
type Side = 1 | -1

/**
 * A place of a text, followed through its changes for as long as nothing in it is changed. What is put in at its edges
 * stays outside, and a place of nothing keeps to the side that what stood beside it was on.
 */
export class FollowedPlace {
  #now: Range | null
  /** On which side of what is put in a place of nothing stays: whoever just writes there writes behind it. */
  #side: Side = -1

  constructor(place: Range) {
    this.#now = place
  }

  /** Null once something in it was changed. */
  get place(): Range | null {
    return this.#now
  }

  follow(map: ChangeMap): void {
    if (!this.#now) return
    const { start, end } = this.#now
    if (!map.touches(this.#now)) {
      const now = map.place(start, 1)
      this.#now = { start: now, end: now + end - start }
    } else if (start === end) this.#followNothing(map, start)
    else {
      const isChanged = map.hunks.some(({ fromA, toA }) => fromA < end && toA > start)
      this.#now = isChanged ? null : { start: map.place(start, 1), end: map.place(end, -1) }
    }
  }

  #followNothing(map: ChangeMap, at: number): void {
    const now = map.hunks.some(({ fromA, toA }) => fromA < at && toA > at)
      ? null
      : placeOfNothing(map, at, this.#side)
    if (map.hunks.some(({ fromA, toA }) => toA === at && fromA < at)) this.#side = 1
    if (map.hunks.some(({ fromA, toA }) => fromA === at && toA > at)) this.#side = -1
    this.#now = now === null ? null : { start: now, end: now }
  }
}

/** Behind what was put in the place of what stood before it, before what came in the place of what stood behind it. */
function placeOfNothing(map: ChangeMap, at: number, side: Side): number {
  let now = at
  for (const { fromA, toA, fromB, toB } of map.hunks) {
    if (fromA > at || (fromA === at && toA > at)) break
    if (fromA === at && side < 0) return fromB
    now = toB + at - toA
  }
  return now
}
