import type { Range } from '../contract/records/anchors.ts'
import type { ChangeMap } from './change-map.ts'

/** On which side of what is put in a place of nothing stays, as long as something of that length is missing there. */
interface Side {
  side: 1 | -1
  length: number
}

/** What a place was part of when that was replaced. */
interface Covered {
  offset: number
  length: number
  /** How long was what was replaced. */
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
    if (start === end) return this.#followNothing(map, start, takesBack)
    const touching = map.hunks.filter(({ fromA, toA }) => fromA < end && toA > start)
    if (touching.length === 0) this.#now = { start: map.place(start, 1), end: map.place(end, -1) }
    else this.#cover(map, touching[0]!.fromA, touching.at(-1)!.toA, takesBack)
  }

  /** @param from where what was changed begins, in the text before */
  #cover(map: ChangeMap, from: number, to: number, takesBack: boolean): void {
    const { start, end } = this.#now
    const was = { start: Math.min(start, from), end: Math.max(end, to) }
    const now = { start: map.place(was.start, -1), end: map.place(was.end, 1) }
    const last = this.#covered.at(-1)
    const isWhole = was.start === start && was.end === end && last?.removed === now.end - now.start
    if (takesBack && isWhole) return this.#uncover(now)
    this.#covered.push({
      offset: start - was.start,
      length: end - start,
      removed: was.end - was.start,
      sides: this.#sides,
    })
    this.#now = now
    this.#sides = []
  }

  #uncover(now: Range): void {
    const { offset, length, sides } = this.#covered.pop()!
    this.#now = { start: now.start + offset, end: now.start + offset + length }
    this.#sides = sides
  }

  #followNothing(map: ChangeMap, at: number, takesBack: boolean): void {
    const around = map.hunks.find(({ fromA, toA }) => fromA < at && toA > at)
    if (around) return this.#cover(map, around.fromA, around.toA, takesBack)
    const put = map.hunks.find(({ fromA, toA }) => fromA === at && toA === at)
    const length = put ? put.toB - put.fromB : 0
    if (put && takesBack && this.#covered.at(-1)?.removed === length)
      return this.#uncover({ start: put.fromB, end: put.toB })
    const last = this.#sides.at(-1)
    // Whoever just writes there writes behind it, as long as nothing is known.
    const side = put ? (last?.side ?? -1) : -1
    if (put && takesBack && last?.length === length) this.#sides.pop()
    const before = map.hunks.find(({ fromA, toA }) => toA === at && fromA < at)
    const behind = map.hunks.find(({ fromA, toA }) => fromA === at && toA > at)
    if (before) this.#sides.push({ side: 1, length: before.toA - before.fromA })
    if (behind) this.#sides.push({ side: -1, length: behind.toA - behind.fromA })
    const now = placeOfNothing(map, at, side)
    this.#now = { start: now, end: now }
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
