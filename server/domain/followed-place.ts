import type { Range } from '../contract/records/anchors.ts'
import type { ChangeMap } from './change-map.ts'
import type { Hunk } from './hunk.ts'

/** On which side of what is put in a place of nothing stays, as long as something of that length is missing there. */
interface Side {
  side: 1 | -1
  length: number
}

/** What a place was part of when that was replaced. */
interface Covered {
  offset: number
  length: number
  /** What of the place as it is now came in the place of what was replaced, and how long that was. */
  changed: Range
  removed: number
  sides: Side[]
}

/**
 * A place of a text, followed through its changes for as long as nothing in it is changed. Where something was, and a
 * change that takes something back puts as much there again, it is where it was: so what was done in turn can be taken
 * back in turn. What is put in at its edges stays outside, and a place of nothing keeps to the side that what stood
 * beside it was on.
 */
export class FollowedPlace {
  #now: Range
  #sides: Side[] = []
  readonly #covered: Covered[] = []

  constructor(place: Range) {
    this.#now = place
  }

  /** Null while something in it is changed. */
  get place(): Range | null {
    return this.#covered.length === 0 ? this.#now : null
  }

  /** @param takesBack whether the change takes back what was done before, and is nothing that somebody wrote */
  follow(map: ChangeMap, takesBack = false): void {
    const { start, end } = this.#now
    if (!map.touches(this.#now)) {
      const now = map.place(start, 1)
      this.#now = { start: now, end: now + end - start }
      return
    }
    if (takesBack && this.#uncover(map)) return
    if (start === end) return this.#followNothing(map, start, takesBack)
    const [first, ...more] = map.hunks.filter(({ fromA, toA }) => fromA < end && toA > start)
    if (first) this.#cover(first, more.at(-1) ?? first)
    else this.#now = { start: map.place(start, 1), end: map.place(end, -1) }
  }

  /** Notes of a place of nothing that so much stood directly before it, and is missing now. */
  standsBehind(length: number): void {
    this.#sides.push({ side: 1, length })
  }

  /** Where a change leaves it that has taken out what it stood for. */
  jump(place: Range): void {
    this.#now = place
  }

  /** By all from the one hunk to the other. */
  #cover(first: Hunk, last: Hunk): void {
    const { start, end } = this.#now
    const [before, behind] = [Math.max(0, first.fromA - start), Math.max(0, end - last.toA)]
    this.#covered.push({
      offset: Math.max(0, start - first.fromA),
      length: end - start,
      changed: { start: before, end: before + last.toB - first.fromB },
      removed: last.toA - first.fromA,
      sides: this.#sides,
    })
    this.#now = { start: first.fromB - before, end: last.toB + behind }
    this.#sides = []
  }

  /** Whether a change puts as much in the place of what covered it last as that had replaced, and touches nothing else. */
  #uncover(map: ChangeMap): boolean {
    const last = this.#covered.at(-1)
    if (!last) return false
    const { start, end } = this.#now
    const [from, to] = [start + last.changed.start, start + last.changed.end]
    const touching = map.hunks.filter(({ fromA, toA }) =>
      fromA === toA
        ? (fromA > start && fromA < end) || (fromA >= from && fromA <= to)
        : fromA < end && toA > start,
    )
    const [first] = touching
    if (!first || touching.some(({ fromA, toA }) => fromA < from || toA > to)) return false
    const grown = touching.reduce((sum, { fromA, toA, fromB, toB }) => sum + toB - fromB - (toA - fromA), 0)
    if (to - from + grown !== last.removed) return false
    this.#covered.pop()
    const now = first.fromB - (first.fromA - start) + last.offset
    this.#now = { start: now, end: now + last.length }
    this.#sides = last.sides
    return true
  }

  #followNothing(map: ChangeMap, at: number, takesBack: boolean): void {
    const around = map.hunks.find(({ fromA, toA }) => fromA < at && toA > at)
    if (around) return this.#cover(around, around)
    const put = map.hunks.find(({ fromA, toA }) => fromA === at && toA === at)
    // Whoever just writes there writes behind it, as long as nothing is known.
    const side = (put && (takesBack ? this.#returned(put.toB - put.fromB) : this.#sides.at(-1)?.side)) ?? -1
    const before = map.hunks.find(({ fromA, toA }) => toA === at && fromA < at)
    const behind = map.hunks.find(({ fromA, toA }) => fromA === at && toA > at)
    if (before) this.standsBehind(before.toA - before.fromA)
    if (behind) this.#sides.push({ side: -1, length: behind.toA - behind.fromA })
    const now = placeOfNothing(map, at, side)
    this.#now = { start: now, end: now }
  }

  /** On which side of something of that length it stays that comes back: all that was missing on a side, or a part. */
  #returned(length: number): Side['side'] | undefined {
    const found =
      this.#sides.findLast((one) => one.length === length) ??
      this.#sides.findLast((one) => one.length > length)
    if (!found) return undefined
    found.length -= length
    this.#sides = this.#sides.filter((one) => one.length > 0)
    return found.side
  }
}

/** Behind what was put in the place of what stood before it, before what came in the place of what stood behind it. */
function placeOfNothing(map: ChangeMap, at: number, side: 1 | -1): number {
  let now = at
  for (const { fromA, toA, fromB, toB } of map.hunks) {
    if (fromA > at || (fromA === at && toA > at)) break
    if (fromA === at && side < 0) return fromB
    now = toB + at - toA
  }
  return now
}
