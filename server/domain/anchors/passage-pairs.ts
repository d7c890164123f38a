import type { Budget } from '../budget.ts'
import type { PairedStretch } from '../tokens.ts'
import { SEVERAL, type PassageWords } from './passage-words.ts'
import { isSpelledOtherwise, wordsInOrder } from './words-in-order.ts'

/** So many words in a row that each text has once, of those that have no partner yet, are the same. */
const FEW = [6, 3]
/** Later, when what is left has lost its landmarks, more. */
const AGAIN = [8]
const ROUNDS = 3
/** A gap between partners is filled if it has at most so many words. */
const GAP = 250
/** So many words beyond the last partner are looked at at once. */
const REACH = 60
const COST = { word: 60, compared: 10 }

/**
 * Which words of two texts belong together, told for all of them at once: each has one partner at most. Words in a row
 * that both texts have once are the same, wherever they stand. Between and beside such landmarks what is in the same order
 * is the same, however often it stands elsewhere; and of copies of which all others have found their partners, the last
 * ones are each other's. So of a passage that stands a dozen times in both texts it is known which became which.
 */
export class PassagePairs {
  /** By word of the text before: its partner, or -1. */
  readonly now: Int32Array
  /** By word of the text after. */
  readonly was: Int32Array
  readonly a: PassageWords
  readonly b: PassageWords
  /** By word: which paragraph it is in. */
  readonly #paragraphs: { a: Int32Array; b: Int32Array }
  readonly #weights: Float64Array
  readonly #budget: Budget

  constructor(a: PassageWords, b: PassageWords, weights: Float64Array, budget: Budget) {
    this.a = a
    this.b = b
    this.#weights = weights
    const most = Math.max(0, budget.left / 2)
    this.#budget = { left: most }
    this.now = new Int32Array(a.count).fill(-1)
    this.was = new Int32Array(b.count).fill(-1)
    this.#paragraphs = { a: a.paragraphs(), b: b.paragraphs() }
    for (let round = 0; round < ROUNDS; round++) {
      let any = false
      for (const few of round === 0 ? FEW : AGAIN) any = this.#pairUnique(few) || any
      if (!any) break
      this.#fillGaps()
      this.#extend()
      this.#pairCorrected()
    }
    budget.left -= most - this.#budget.left
  }

  #pair(i: number, j: number): void {
    this.now[i] = j
    this.was[j] = i
  }

  #pairUnique(few: number): boolean {
    const [a, b] = [this.a, this.b]
    this.#budget.left -= (a.count + b.count) * COST.word
    if (this.#budget.left < 0) return false
    const inA = a.uniqueWithin(this.#paragraphs.a, few, this.now)
    const runs: { i: number; j: number; count: number }[] = []
    const known = new Map<number, number>()
    for (const [name, seed] of b.uniqueWithin(this.#paragraphs.b, few, this.was)) {
      const at = inA.get(name) ?? SEVERAL
      if (at === SEVERAL || seed === SEVERAL || (known.get(at - seed) ?? -1) > at) continue
      let [i, j, count] = [at, seed, 0]
      while (this.#isFree(i + count, j + count, i, j)) count++
      while (this.#isFree(i - 1, j - 1, i, j)) [i, j, count] = [i - 1, j - 1, count + 1]
      this.#budget.left -= count * COST.compared
      if (this.#budget.left < 0) break
      known.set(at - seed, i + count)
      if (count >= few) runs.push({ i, j, count })
    }
    runs.sort((x, y) => y.count - x.count)
    let any = false
    for (const { i, j, count } of runs) {
      for (let k = 0; k < count; k++) {
        if (this.now[i + k] !== -1 || this.was[j + k] !== -1) continue
        this.#pair(i + k, j + k)
        any = true
      }
    }
    return any
  }

  #isFree(i: number, j: number, ofI: number, ofJ: number): boolean {
    const [a, b] = [this.a, this.b]
    return (
      i >= 0 &&
      j >= 0 &&
      i < a.count &&
      j < b.count &&
      a.ids[i] === b.ids[j] &&
      this.now[i] === -1 &&
      this.was[j] === -1 &&
      this.#paragraphs.a[i] === this.#paragraphs.a[ofI] &&
      this.#paragraphs.b[j] === this.#paragraphs.b[ofJ]
    )
  }

  /** Between partners that follow each other closely in both texts. */
  #fillGaps(): void {
    let last = -1
    for (let i = 0; i < this.a.count; i++) {
      const j = this.now[i]!
      if (j < 0) continue
      const before = last < 0 ? -1 : this.now[last]!
      if (last >= 0 && i - last > 1 && j - before > 1 && i - last <= GAP && j - before <= GAP)
        if (this.#isAllFree(before + 1, j))
          this.#pairInOrder({ a0: last + 1, a1: i, b0: before + 1, b1: j }, 'both')
      last = i
    }
  }

  #isAllFree(from: number, to: number): boolean {
    for (let j = from; j < to; j++) if (this.was[j] !== -1) return false
    return true
  }

  #extend(): void {
    for (let i = 0; i < this.a.count; i++) {
      if (this.now[i]! >= 0) this.#extendFrom(i, 1)
    }
    for (let i = this.a.count - 1; i >= 0; i--) {
      if (this.now[i]! >= 0) this.#extendFrom(i, -1)
    }
  }

  #extendFrom(i: number, step: 1 | -1): void {
    const j = this.now[i]!
    const reach = (partners: Int32Array, at: number) => {
      let count = 0
      while (count < REACH && partners[at + step * (count + 1)] === -1) count++
      return count
    }
    const [countA, countB] = [reach(this.now, i), reach(this.was, j)]
    if (countA === 0 || countB === 0) return
    if (step > 0) this.#pairInOrder({ a0: i + 1, a1: i + 1 + countA, b0: j + 1, b1: j + 1 + countB }, 'start')
    else this.#pairInOrder({ a0: i - countA, a1: i, b0: j - countB, b1: j }, 'end')
  }

  #pairInOrder(stretch: PairedStretch, from: 'start' | 'end' | 'both'): void {
    for (const [i, j] of wordsInOrder(this.a, this.b, stretch, from, this.#weights, this.#budget))
      this.#pair(i, j)
  }

  /** Beside partners, words that were only spelled otherwise. */
  #pairCorrected(): void {
    for (let i = 1; i < this.a.count; i++) this.#pairBeside(i - 1, i)
    for (let i = this.a.count - 2; i >= 0; i--) this.#pairBeside(i + 1, i)
  }

  #pairBeside(known: number, i: number): void {
    const j = this.now[known]! + i - known
    if (this.now[known]! < 0 || j < 0 || j >= this.b.count || this.now[i] !== -1 || this.was[j] !== -1) return
    if (
      this.a.joins(known, i) &&
      this.b.joins(this.now[known]!, j) &&
      isSpelledOtherwise(this.a, i, this.b, j)
    )
      this.#pair(i, j)
  }
}
