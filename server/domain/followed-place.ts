import type { Range } from '../contract/records/anchors.ts'
import type { ChangeMap } from './change-map.ts'
import { besideLine } from './line-edges.ts'
import type { Readable } from './pieced-text.ts'

/** What is to be put in at a place of nothing, and the text that the changes have led to. */
export interface PutInto {
  words: string
  text: Readable
}

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
  /** All that was written since at a place of nothing. */
  #written: Range

  constructor(place: Range) {
    this.#now = place
    this.#written = place
  }

  /** Null once something in it was changed. */
  get place(): Range | null {
    return this.#now
  }

  /** Where something is to be put in there: lines keep beside the line that they were put beside. */
  placeOf({ words, text }: PutInto): Range | null {
    if (!this.#now) return null
    const at = besideLine(words, text, this.#written, this.#now.start)
    return { start: at, end: at }
  }

  follow(map: ChangeMap): void {
    if (!this.#now) return
    const { start, end } = this.#now
    if (start === end) {
      const { start: first, end: last } = this.#written
      this.#written = { start: map.place(first, -1), end: map.place(last, 1) }
    }
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
