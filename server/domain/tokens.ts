import type { Budget } from './budget.ts'

/**
 * Reading texts as lines or words, for comparing them. A text of 10 MiB may be millions of either, and whoever may
 * change a document chooses which, so what is read costs no object for each: only numbers in arrays.
 */

/** Where the token ends that begins at `from`: at most at `to`. */
export type EndOfToken = (text: string, from: number, to: number, budget: Budget) => number

const COST = { character: 3, token: 40, newToken: 200 }

/** What reading so much text takes at least, where tokens are at least so long on average. */
export const leastReading = (length: number, usual: number) =>
  length * COST.character + (length / usual) * COST.token

/** The number that a single space has in every vocabulary: half the tokens of prose are one. */
const SPACE = 0

/** Numbers for tokens: equal tokens have the same one. Two different ones may have it too, once in 2^64 by chance. */
export class Vocabulary {
  size = 1
  // A table with open places: each slot holds a token's number, and `hashes` the two hashes of each number.
  #slots = new Int32Array(1024)
  #hashes = new Int32Array(1024)
  #solid = new Uint8Array(512)

  /** Whether a token is more than white space. */
  isSolid(id: number): boolean {
    return this.#solid[id] === 1
  }

  /** The number of the token that has these two hashes. */
  number(first: number, second: number, solid: boolean): number {
    const slots = this.#slots
    const hashes = this.#hashes
    const last = slots.length - 1
    let slot = mixed(first, second) & last
    for (let id = slots[slot]!; id !== 0; id = slots[slot]!) {
      if (hashes[2 * id] === first && hashes[2 * id + 1] === second) return id
      slot = (slot + 1) & last
    }
    const id = this.size++
    slots[slot] = id
    hashes[2 * id] = first
    hashes[2 * id + 1] = second
    this.#solid[id] = solid ? 1 : 0
    if (this.size === this.#solid.length) this.#grow()
    return id
  }

  #grow(): void {
    this.#hashes = twice(this.#hashes)
    const solid = new Uint8Array(this.#solid.length * 2)
    solid.set(this.#solid)
    this.#solid = solid
    const slots = new Int32Array(this.#slots.length * 2)
    for (let id = 1; id < this.size; id++) {
      let slot = mixed(this.#hashes[2 * id]!, this.#hashes[2 * id + 1]!) & (slots.length - 1)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = id
    }
    this.#slots = slots
  }
}

const mixed = (first: number, second: number) => {
  const mix = Math.imul(first ^ (second >>> 15), 0x85ebca6b)
  return mix ^ (mix >>> 13)
}

function twice(array: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(array.length * 2)
  longer.set(array)
  return longer
}

/** The tokens of a stretch of text. One of these may be filled again and again. */
export class Tokens {
  count = 0
  /** The number of each token. */
  ids = new Int32Array(256)
  /** Where each begins; `starts[count]` is where the last one ends. */
  starts = new Int32Array(256)

  /** Reads a stretch; false if that takes more than is left. */
  read(
    text: string,
    from: number,
    to: number,
    endOf: EndOfToken,
    vocabulary: Vocabulary,
    budget: Budget,
  ): boolean {
    let { ids, starts } = this
    let count = 0
    budget.left -= (to - from) * COST.character
    for (let at = from; at < to && budget.left >= 0;) {
      if (count + 1 === starts.length) {
        this.ids = ids = twice(ids)
        this.starts = starts = twice(starts)
      }
      starts[count] = at
      budget.left -= COST.token
      const end = endOf(text, at, to, budget)
      if (end === at + 1 && text.charCodeAt(at) === 32) {
        ids[count++] = SPACE
        at = end
        continue
      }
      let first = 0xdeadbeef | 0
      let second = 0x41c6ce57
      let solid = false
      for (; at < end; at++) {
        const code = text.charCodeAt(at)
        first = Math.imul(first ^ code, 0x9e3779b1)
        second = Math.imul(second ^ code, 0x5f356495)
        if (code > 32) solid = true
      }
      const known = vocabulary.size
      const id = vocabulary.number(first, second, solid)
      if (id === known) budget.left -= COST.newToken
      ids[count++] = id
    }
    starts[count] = to
    this.count = count
    return budget.left >= 0
  }
}
