import fastDiff from 'fast-diff'
import { commonPrefix, commonSuffix, splitsPair } from '../common-ends.ts'
import { COARSE, commonStretches, FINE, type Sieve } from './common-stretches.ts'
import { joinTouching, type Hunk } from '../hunk.ts'
import { patienceMatches, type Stretch } from './patience.ts'
import { leastReading, LINE, Tokens, Vocabulary, WORD } from '../tokens.ts'
import { CHANGE_BUDGET, type Budget } from '../budget.ts'

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

const LINES: Grain = { token: LINE, usual: 40, few: 1, small: 200, sparse: 16 }
const WORDS: Grain = { token: WORD, usual: 3, few: 3, small: 1500, sparse: 800 }

const SNAP = 1000
const MOSTLY = 7 / 8
const LARGE = 1_000_000
// The shorter of the stretches that differ are looked into first: a chapter written anew must not use up what a
// corrected word elsewhere needs.
const SHORT = 10_000
const COST = { words: 35, landmark: 50, small: 50, edit: 4, hunk: 300, stretch: 3_000, slide: 40 }

/**
 * The differences between two texts, in order, by lines and within changed lines by words. Outside the hunks the
 * texts are equal. No hunk begins or ends within a surrogate pair, nor within a word of less than a thousand
 * characters. Where the budget is used up, hunks are coarser, up to one for everything.
 */
export function textDiff(
  before: string,
  after: string,
  budget: Budget = { left: CHANGE_BUDGET.diff },
): Hunk[] {
  if (before === after) return []
  const head = commonPrefix(before, after)
  const from = head && before.lastIndexOf('\n', head - 1) + 1
  const tail = commonSuffix(before, after, head)
  const lineEnd = before.indexOf('\n', before.length - tail)
  const kept = lineEnd < 0 ? 0 : before.length - lineEnd - 1
  const whole = { fromA: from, toA: before.length - kept, fromB: from, toB: after.length - kept }

  const comparison = new Comparison(before, after, budget)
  // A text may be one line.
  const rough = sizeOf(whole) > LARGE ? trimToWords(before, after, whole) : whole
  const between = (hunk: Hunk, sieve: Sieve) => betweenStretches(before, after, hunk, sieve, budget)
  const byLines = comparison.refine(sizeOf(rough) > LARGE ? between(rough, COARSE) : [rough], LINES)
  const changed = byLines.reduce((sum, hunk) => sum + hunk.toA - hunk.fromA, 0)
  // When hardly a line is left (a text wrapped anew), those that agree do so by chance and would hold words apart.
  const mostly = changed > (whole.toA - whole.fromA) * MOSTLY
  const readable = (mostly ? [rough] : byLines).flatMap((hunk) =>
    sizeOf(hunk) * COST.words > budget.left ? between(hunk, FINE) : [hunk],
  )
  const byWords = joinTouching(comparison.refine(readable, WORDS))
  return joinTouching(slideToBoundaries(before, after, byWords, budget))
}

const sizeOf = ({ fromA, toA, fromB, toB }: Hunk) => toA - fromA + toB - fromB

/** What is left between the stretches that two texts have in common, from one line or word to another. */
function betweenStretches(before: string, after: string, whole: Hunk, sieve: Sieve, budget: Budget): Hunk[] {
  const hunks: Hunk[] = []
  let { fromA, fromB } = whole
  for (const { a, b, length } of commonStretches(before, after, whole, sieve, budget)) {
    const text = before.slice(a, a + length)
    const begin = firstBoundary(text)
    const end = lastBoundary(text)
    if (begin >= end) continue
    hunks.push({ fromA, toA: a + begin, fromB, toB: b + begin })
    fromA = a + end
    fromB = b + end
  }
  hunks.push({ fromA, toA: whole.toA, fromB, toB: whole.toB })
  return hunks
}

/** Where the first line begins that is whole, or if lines are long the first word. */
function firstBoundary(text: string): number {
  const few = Math.min(SNAP, text.length >> 2)
  const line = text.slice(0, few).indexOf('\n')
  if (line >= 0) return line + 1
  for (let at = 1; at < few; at++) {
    if (isSpace(text, at - 1) && !isSpace(text, at)) return at
  }
  return text.length > SNAP ? (splitsPair(text, SNAP) ? SNAP + 1 : SNAP) : text.length
}

/** Where the last line ends that is whole, or if lines are long the last word. */
function lastBoundary(text: string): number {
  const few = text.length - Math.min(SNAP, text.length >> 2)
  const line = text.lastIndexOf('\n')
  if (line >= few) return line + 1
  for (let at = text.length - 1; at > few; at--) {
    if (isSpace(text, at - 1) && !isSpace(text, at)) return at
  }
  const at = text.length - SNAP
  return at > 0 ? (splitsPair(text, at) ? at - 1 : at) : 0
}

function trimToWords(before: string, after: string, hunk: Hunk): Hunk {
  const a = before.slice(hunk.fromA, hunk.toA)
  const b = after.slice(hunk.fromB, hunk.toB)
  let head = commonPrefix(a, b)
  for (let back = 0; head > 0; head--, back++) {
    if (back >= SNAP ? !splitsPair(a, head) && !splitsPair(b, head) : isSpace(a, head - 1)) {
      if (!isSpace(a, head) && !isSpace(b, head)) break
    }
  }
  let tail = commonSuffix(a, b, head)
  for (let back = 0; tail > 0; tail--, back++) {
    const atA = a.length - tail
    const atB = b.length - tail
    if (back >= SNAP ? !splitsPair(a, atA) && !splitsPair(b, atB) : isSpace(a, atA)) {
      if (!isSpace(a, atA - 1) && !isSpace(b, atB - 1)) break
    }
  }
  return { fromA: hunk.fromA + head, toA: hunk.toA - tail, fromB: hunk.fromB + head, toB: hunk.toB - tail }
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || code === 10 || code === 13 || code === 9
}

type Emit = (stretch: Stretch) => void

/** Compares stretches of two texts, by one grain or another. */
class Comparison {
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

  #compare({ a0, a1, b0, b1 }: Stretch, grain: Grain, emit: Emit): void {
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

  #compareSmall({ a0, a1, b0, b1 }: Stretch, emit: Emit): void {
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

/**
 * A sentence inserted before one that begins alike can be told as "The cat sat. [The ]dog…" or "[The cat sat. ]The
 * dog…". Both are right; this picks the one that begins a paragraph, a line, a sentence or a word, which is what
 * people read as the change and what keeps an anchor off the words of its neighbour.
 */
function slideToBoundaries(before: string, after: string, hunks: Hunk[], budget: Budget): Hunk[] {
  return hunks.map((hunk, i) => {
    const deletion = hunk.fromB === hunk.toB
    if ((!deletion && hunk.fromA !== hunk.toA) || budget.left < 0) return hunk
    const text = deletion ? before : after
    const from = deletion ? hunk.fromA : hunk.fromB
    const to = deletion ? hunk.toA : hunk.toB
    // A neighbour may slide towards this hunk too, so each takes at most half of what lies between them.
    const room = (gap: number) => Math.min(SNAP, i > 0 || i < hunks.length - 1 ? gap >> 1 : gap)
    const left = room(hunk.fromA - (hunks[i - 1]?.toA ?? 0))
    const right = room((hunks[i + 1]?.fromA ?? before.length) - hunk.toA)
    let best = 0
    let bestScore = boundary(text, from, to)
    const consider = (shift: number) => {
      budget.left -= COST.slide
      const score = boundary(text, from + shift, to + shift)
      if (score > bestScore) {
        best = shift
        bestScore = score
      }
    }
    for (let s = 1; s <= left && text.charCodeAt(from - s) === text.charCodeAt(to - s); s++) consider(-s)
    for (let s = 0; s < right && text.charCodeAt(from + s) === text.charCodeAt(to + s); s++) consider(s + 1)
    if (best === 0) return hunk
    return {
      fromA: hunk.fromA + best,
      toA: hunk.toA + best,
      fromB: hunk.fromB + best,
      toB: hunk.toB + best,
    }
  })
}

function boundary(text: string, from: number, to: number): number {
  return Math.min(boundaryAt(text, from), boundaryAt(text, to))
}

function boundaryAt(text: string, at: number): number {
  if (at === 0 || at === text.length) return 5
  if (text[at - 1] === '\n') return /\n\r?\n$/.test(text.slice(Math.max(0, at - 3), at)) ? 5 : 4
  if (!isSpace(text, at - 1) || isSpace(text, at)) return 0
  return /[.!?…。！？]['"”’)\]]?\s$/.test(text.slice(Math.max(0, at - 3), at)) ? 3 : 2
}
