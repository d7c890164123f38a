import type { ChangeSet } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import type { Hunk } from './hunk.ts'
import type { Readable } from './pieced-text.ts'

/** A change of a text: both texts, and how places of the one are places of the other. */
export interface TextChange<Text extends Readable = string> {
  readonly before: Text
  readonly after: Text
  readonly map: ChangeMap
  /**
   * Whether the map is what was done. One that comes of comparing the texts may take one of several that are alike for
   * another.
   */
  readonly isKnown?: boolean
  /** Whether it is known and what somebody decided on a suggestion did: then nothing was cut to be pasted elsewhere. */
  readonly isDecided?: boolean
}

/**
 * Where one change of a text has left its places. A change may be hundreds of thousands of hunks and be asked about
 * thousands of places, so nothing here reads all of it for one.
 */
export class ChangeMap {
  /** Of the text before. */
  readonly length: number
  readonly hunks: readonly Hunk[]
  #inserted: Range[] | undefined
  #removed: Range[] | undefined
  #inverse: ChangeMap | undefined
  #size: { removed: number; inserted: number } | undefined

  /** @param hunks in order; they may touch */
  constructor(hunks: readonly Hunk[], length: number) {
    this.hunks = hunks
    this.length = length
  }

  static of(changes: ChangeSet): ChangeMap {
    const hunks: Hunk[] = []
    changes.iterChangedRanges((fromA, toA, fromB, toB) => hunks.push({ fromA, toA, fromB, toB }), true)
    return new ChangeMap(hunks, changes.length)
  }

  get empty(): boolean {
    return this.hunks.length === 0
  }

  /** How many characters its hunks take away and put in, also those that a hunk only repeats. */
  get size(): { removed: number; inserted: number } {
    this.#size ??= this.hunks.reduce(
      ({ removed, inserted }, { fromA, toA, fromB, toB }) => ({
        removed: removed + toA - fromA,
        inserted: inserted + toB - fromB,
      }),
      { removed: 0, inserted: 0 },
    )
    return this.#size
  }

  /**
   * Where a place is now. What was inserted at it comes before it if `side` is 1, and after it if that is -1; a place
   * whose surroundings are gone is at that end of what replaced them.
   */
  place(at: number, side: 1 | -1): number {
    let i = this.#firstEndingAt(at)
    for (; i < this.hunks.length; i++) {
      const { fromA, toA, fromB, toB } = this.hunks[i]!
      if (fromA > at) break
      const isInside = toA > at || (fromA === toA && side < 0)
      if (isInside) return at === fromA || side < 0 ? fromB : toB
    }
    return at + this.#shiftAfter(i - 1)
  }

  /** About where what stood at a place would be now if what replaced it were as long for each part. */
  near(at: number): number {
    const i = this.#firstEndingAt(at)
    const hunk = this.hunks[i]
    if (!hunk || hunk.fromA > at || hunk.fromA === hunk.toA) return this.place(Math.min(at, this.length), 1)
    const { fromA, toA, fromB, toB } = hunk
    return fromB + Math.round(((at - fromA) / (toA - fromA)) * (toB - fromB))
  }

  /** What is left of a range, as pieces of the new text. */
  kept(range: Range): Range[] {
    return this.keptPairs(range).map(({ now }) => now)
  }

  /** The same with where each piece was. */
  keptPairs({ start, end }: Range): { old: Range; now: Range }[] {
    const pieces: { old: Range; now: Range }[] = []
    let i = this.#firstEndingAt(start)
    let from = start
    const add = (to: number) => {
      const shift = this.#shiftAfter(i - 1)
      if (from < to)
        pieces.push({ old: { start: from, end: to }, now: { start: from + shift, end: to + shift } })
    }
    for (; i < this.hunks.length && this.hunks[i]!.fromA < end; i++) {
      const { fromA, toA } = this.hunks[i]!
      add(fromA)
      from = Math.max(from, toA)
    }
    add(end)
    return pieces
  }

  /** Whether anything was taken away or put in within a range of the old text, or at its edges. */
  touches({ start, end }: Range): boolean {
    const hunk = this.hunks[this.#firstEndingAt(start)]
    return hunk !== undefined && hunk.fromA <= end
  }

  /** The ranges of the new text that were put in. */
  get inserted(): readonly Range[] {
    this.#inserted ??= this.hunks.flatMap(({ fromB, toB }) =>
      fromB < toB ? [{ start: fromB, end: toB }] : [],
    )
    return this.#inserted
  }

  /** The ranges of the old text that were taken away. */
  get removed(): readonly Range[] {
    this.#removed ??= this.hunks.flatMap(({ fromA, toA }) =>
      fromA < toA ? [{ start: fromA, end: toA }] : [],
    )
    return this.#removed
  }

  /** All that the change has touched, in both texts: where something was only put in or taken away is empty in one. */
  get touched(): { before: Range[]; after: Range[] } {
    return {
      before: this.hunks.map(({ fromA, toA }) => ({ start: fromA, end: toA })),
      after: this.hunks.map(({ fromB, toB }) => ({ start: fromB, end: toB })),
    }
  }

  /** The way back, from a new text of that length. */
  inverse(length: number): ChangeMap {
    this.#inverse ??= new ChangeMap(
      this.hunks.map(({ fromA, toA, fromB, toB }) => ({ fromA: fromB, toA: toB, fromB: fromA, toB: toA })),
      length,
    )
    return this.#inverse
  }

  #firstEndingAt(at: number): number {
    let low = 0
    let high = this.hunks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.hunks[middle]!.toA < at) low = middle + 1
      else high = middle
    }
    return low
  }

  #shiftAfter(i: number): number {
    const hunk = this.hunks[i]
    return hunk ? hunk.toB - hunk.toA : 0
  }
}
