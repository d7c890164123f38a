import fastDiff from 'fast-diff'
import type { Budget } from '../budget.ts'
import { sizeOf, type Hunk } from '../hunk.ts'
import { leastReading, LINE, Tokens, Vocabulary, WORD, type PairedStretch } from '../tokens.ts'
import { trimToWords } from './boundaries.ts'
import { patienceMatches } from './patience.ts'

/** What texts are compared by. */
interface Grain {
  token: RegExp
  /** How long one usually is; a stretch that would cost too much isn't begun with. */
  usual: number
  /** How many of them in a row make a landmark. */
  few: number
  /** fast-diff is quadratic in the number of tokens that differ; stretches of more are first cut at landmarks. */
  small: number
  /** With fewer landmarks than one in so many, those there are agree by chance. */
  sparse: number
}

export const LINES: Grain = { token: LINE, usual: 40, few: 1, small: 200, sparse: 16 }
export const WORDS: Grain = { token: WORD, usual: 3, few: 3, small: 1500, sparse: 800 }

// The shorter of the stretches that differ are looked into first: a chapter written anew must not use up what a
// corrected word elsewhere needs.
const SHORT = 10_000
const COST = { landmark: 50, small: 50, edit: 4, hunk: 300, stretch: 3_000 }

type Emit = (stretch: PairedStretch) => void

/** Compares stretches of two texts, by one grain or another. */
export class Comparison {
  readonly #before: string
  readonly #after: string
  readonly #budget: Budget
  readonly #vocabulary = new Vocabulary()
  readonly #a = new Tokens()
  readonly #b = new Tokens()

  constructor(before: string, after: string, budget: Budget) {
    this.#before = before
    this.#after = after
    this.#budget = budget
  }

  /** What differs by a finer grain within stretches that differ by a coarser one. */
  refine(hunks: readonly Hunk[], grain: Grain): Hunk[] {
    const refined: (Hunk | Hunk[])[] = [...hunks]
    const refineThose = (isDue: (size: number) => boolean) => {
      for (const [i, hunk] of hunks.entries()) {
        if (!isDue(sizeOf(hunk)) || this.#budget.left < COST.stretch) continue
        this.#budget.left -= COST.stretch
        refined[i] = this.#diff(grain === WORDS ? trimToWords(this.#before, this.#after, hunk) : hunk, grain)
      }
    }
    refineThose((size) => size <= SHORT)
    refineThose((size) => size > SHORT)
    return refined.flat()
  }

  #diff(within: Hunk, grain: Grain): Hunk[] {
    const { fromA, toA, fromB, toB } = within
    if (fromA === toA && fromB === toB) return []
    if (fromA === toA || fromB === toB) return [within]
    const [a, b, budget] = [this.#a, this.#b, this.#budget]
    const read =
      budget.left > leastReading(toA - fromA + toB - fromB, grain.usual) &&
      a.read(this.#before, fromA, toA, grain.token, this.#vocabulary, budget) &&
      b.read(this.#after, fromB, toB, grain.token, this.#vocabulary, budget)
    if (!read) return [within]
    const hunks: Hunk[] = []
    this.#compare({ a0: 0, a1: a.count, b0: 0, b1: b.count }, grain, ({ a0, a1, b0, b1 }) => {
      budget.left -= COST.hunk
      hunks.push({ fromA: a.starts[a0]!, toA: a.starts[a1]!, fromB: b.starts[b0]!, toB: b.starts[b1]! })
    })
    return hunks
  }

  #compare({ a0, a1, b0, b1 }: PairedStretch, grain: Grain, emit: Emit): void {
    const [a, b, budget] = [this.#a, this.#b, this.#budget]
    while (a0 < a1 && b0 < b1 && a.ids[a0] === b.ids[b0]) {
      a0++
      b0++
    }
    while (a0 < a1 && b0 < b1 && a.ids[a1 - 1] === b.ids[b1 - 1]) {
      a1--
      b1--
    }
    if (a0 === a1 && b0 === b1) return
    const stretch = { a0, a1, b0, b1 }
    if (a0 === a1 || b0 === b1) return emit(stretch)

    const size = a1 - a0 + (b1 - b0)
    // One for another, as of most changes that are typed.
    if (size === 2) return emit(stretch)
    const cost = size * (size <= grain.small ? COST.small : COST.landmark)
    if (budget.left < cost) return emit(stretch)
    budget.left -= cost
    if (size <= grain.small) return this.#compareSmall(stretch, emit)
    const { count, inA, inB } = patienceMatches(a, b, stretch, this.#vocabulary, grain.few)
    if (count * grain.sparse < size) return emit(stretch)
    for (let i = 0; i < count; i++) {
      this.#compare({ a0, a1: inA[i]!, b0, b1: inB[i]! }, grain, emit)
      a0 = inA[i]! + 1
      b0 = inB[i]! + 1
    }
    this.#compare({ a0, a1, b0, b1 }, grain, emit)
  }

  #compareSmall({ a0, a1, b0, b1 }: PairedStretch, emit: Emit): void {
    // Each distinct token becomes one character below the surrogates, which is all that fast-diff needs to know.
    const letters = new Map<number, string>()
    const spell = ({ ids }: Tokens, from: number, to: number) => {
      let out = ''
      for (let i = from; i < to; i++) {
        let letter = letters.get(ids[i]!)
        if (!letter) letters.set(ids[i]!, (letter = String.fromCharCode(letters.size + 1)))
        out += letter
      }
      return out
    }
    let [fromA, atA, fromB, atB, edits] = [a0, a0, b0, b0, 0]
    for (const [kind, run] of fastDiff(spell(this.#a, a0, a1), spell(this.#b, b0, b1))) {
      if (kind !== fastDiff.EQUAL) {
        edits += run.length
        if (kind === fastDiff.DELETE) atA += run.length
        else atB += run.length
        continue
      }
      if (fromA < atA || fromB < atB) emit({ a0: fromA, a1: atA, b0: fromB, b1: atB })
      fromA = atA += run.length
      fromB = atB += run.length
    }
    if (fromA < atA || fromB < atB) emit({ a0: fromA, a1: atA, b0: fromB, b1: atB })
    this.#budget.left -= (a1 - a0 + b1 - b0) * edits * COST.edit
  }
}
