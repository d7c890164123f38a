import type { Range } from '../contract/records/anchors.ts'
import type { ChangeMap } from './change-map.ts'
import type { Hunk } from './hunk.ts'
import { PlaceAtDecisions, type Side, type Turn } from './place-at-decisions.ts'

/** On which side of what is put in a place of nothing stays, as long as something of that length is missing there. */
interface Missing {
  side: Side
  length: number
  /** What took it out. */
  revision: number
}

/** What a place was part of when that was replaced. */
interface Covered {
  offset: number
  length: number
  /** What of the place as it is now came in the place of what was replaced, and how long that was. */
  changed: Range
  removed: number
  sides: Missing[]
  /** What replaced it. */
  revision: number
}

/**
 * A place of a text, followed through its changes for as long as nothing in it is changed. Where something was, and a
 * change that takes something back puts as much there again, it is where it was: so what was done in turn can be taken
 * back in turn. What is put in at its edges stays outside, and a place of nothing keeps to the side that what stood
 * beside it was on.
 */
export class FollowedPlace {
  #now: Range
  #sides: Missing[] = []
  readonly #covered: Covered[] = []
  readonly #atDecisions = new PlaceAtDecisions()

  constructor(place: Range) {
    this.#now = place
  }

  /** Null while something in it is changed. */
  get place(): Range | null {
    return this.#covered.length === 0 ? this.#now : null
  }

  /** @param turn absent where the change takes nothing back that was done before */
  follow(map: ChangeMap, turn?: Turn): void {
    const { start, end } = this.#now
    if (turn) this.#atDecisions.note(this.#now, map, turn)
    if (!map.touches(this.#now)) {
      const now = map.place(start, 1)
      this.#now = { start: now, end: now + end - start }
      return
    }
    if (turn && this.#uncover(map, turn)) return
    if (start === end) return this.#followNothing(map, start, turn)
    const [first, ...more] = map.hunks.filter(({ fromA, toA }) => fromA < end && toA > start)
    if (first) this.#cover(first, more.at(-1) ?? first, turn)
    else this.#now = { start: map.place(start, 1), end: map.place(end, -1) }
  }

  /** Notes of a place of nothing that so much stood directly before it, and is missing now. */
  standsBehind(length: number, revision: number): void {
    this.#sides.push({ side: 1, length, revision })
  }

  /** Where a change leaves it that has taken out what it stood for. */
  jump(place: Range): void {
    this.#now = place
  }

  /** By all from the one hunk to the other. */
  #cover(first: Hunk, last: Hunk, turn?: Turn): void {
    const { start, end } = this.#now
    const [before, behind] = [Math.max(0, first.fromA - start), Math.max(0, end - last.toA)]
    this.#covered.push({
      offset: Math.max(0, start - first.fromA),
      length: end - start,
      changed: { start: before, end: before + last.toB - first.fromB },
      removed: last.toA - first.fromA,
      sides: this.#sides,
      revision: turn?.revision ?? 0,
    })
    this.#now = { start: first.fromB - before, end: last.toB + behind }
    this.#sides = []
  }

  /** Whether a change puts as much in the place of what covered it last as that had replaced, and touches nothing else. */
  #uncover(map: ChangeMap, { revision, decisions }: Turn): boolean {
    const last = this.#covered.at(-1)
    if (!last || !decisions.mayTakeBack(revision, last.revision)) return false
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
    if (to - from + grown - decisions.putMore(revision) !== last.removed) return false
    this.#covered.pop()
    const before = decisions.apart.get(revision)?.before ?? 0
    const now = first.fromB - (first.fromA - start) + before + last.offset
    this.#now = { start: now, end: now + last.length }
    this.#sides = last.sides
    return true
  }

  #followNothing(map: ChangeMap, at: number, turn?: Turn): void {
    const around = map.hunks.find(({ fromA, toA }) => fromA < at && toA > at)
    if (around) return this.#cover(around, around, turn)
    const put = map.hunks.find(({ fromA, toA }) => fromA === at && toA === at)
    // Whoever just writes there writes behind it, as long as nothing is known.
    const takesBack = turn?.decisions.reopenings.has(turn.revision)
    const length = put ? put.toB - put.fromB : 0
    const side =
      (put &&
        (takesBack
          ? this.#returned(length - turn!.decisions.putMore(turn!.revision), turn!)
          : this.#sides.at(-1)?.side)) ??
      -1
    const before = map.hunks.find(({ fromA, toA }) => toA === at && fromA < at)
    const behind = map.hunks.find(({ fromA, toA }) => fromA === at && toA > at)
    const revision = turn?.revision ?? 0
    if (before) this.standsBehind(before.toA - before.fromA, revision)
    if (behind) this.#sides.push({ side: -1, length: behind.toA - behind.fromA, revision })
    const now = placeOfNothing(map, at, side)
    this.#now = { start: now, end: now }
  }

  /** On which side of something of that length it stays that comes back: all that was missing on a side, or a part. */
  #returned(length: number, turn: Turn): Side | undefined {
    const { revision, decisions } = turn
    const known = this.#atDecisions.sideOf(length, turn)
    const back = this.#sides.filter((one) => decisions.mayTakeBack(revision, one.revision))
    const found = back.findLast((one) => one.length === length) ?? back.findLast((one) => one.length > length)
    if (!found) return known
    found.length -= length
    this.#sides = this.#sides.filter((one) => one.length > 0)
    return known ?? found.side
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
