import { commonPrefix, commonSuffix } from '../common-ends.ts'
import type { Hunk } from '../hunk.ts'
import type { Budget } from '../budget.ts'

/** `before.slice(a, a + length)` is `after.slice(b, b + length)`. */
export interface CommonStretch {
  a: number
  b: number
  length: number
}

/** How stretches are looked for. */
export interface Sieve {
  /** By how many bits older characters are moved on with each further one, until they are gone from 32. */
  shift: number
  /** How many bits of a hash have to be 0 where there is a mark: there is one in two to that power of places. */
  rare: number
  /** How much of what follows a mark tells it from others. */
  named: number
  /** Shorter stretches agree by chance. */
  shortest: number
}

/** For a few changes in a large text. */
export const COARSE: Sieve = { shift: 1, rare: 8, named: 64, shortest: 128 }
/** For changes everywhere: lines that end otherwise, one word instead of another. */
export const FINE: Sieve = { shift: 4, rare: 4, named: 16, shortest: 24 }

const COST = { character: 3, mark: 100, stretch: 500 }
/** How many stretches back the one before a stretch is looked for. */
const BACK = 200

/**
 * Long stretches that both texts have, ascending in both. They are found by marks: places that the characters before
 * them make one, about every 250 characters, so that what agrees is marked alike in both texts. From a mark on, texts
 * are compared as fast as memory is, so that a few changes in a large text are soon found, whatever its lines are like.
 */
export function commonStretches(
  before: string,
  after: string,
  within: Hunk,
  sieve: Sieve,
  budget: Budget,
): CommonStretch[] {
  const { fromA, toA, fromB, toB } = within
  const marks = namedMarks(before, fromA, toA, sieve, budget)
  const found: CommonStretch[] = []
  let end = fromB
  for (let at = fromB; budget.left > 0;) {
    at = nextMark(after, at, toB, sieve, budget)
    if (at + sieve.named > toB) break
    const a = marks.get(nameOf(after, at, sieve)) ?? SEVERAL
    if (a === SEVERAL) continue
    budget.left -= COST.stretch
    const back = commonSuffix(before.slice(fromA, a), after.slice(end, at))
    const length = back + commonPrefix(before.slice(a, toA), after.slice(at, toB))
    if (length < sieve.shortest) continue
    found.push({ a: a - back, b: at - back, length })
    end = at += length - back
  }
  return heaviestChain(found)
}

const SEVERAL = -1

/** By what follows each mark of a text: where it is, unless it is at several places. */
function namedMarks(
  text: string,
  from: number,
  to: number,
  sieve: Sieve,
  budget: Budget,
): Map<number, number> {
  const marks = new Map<number, number>()
  for (let at = from; budget.left > 0;) {
    at = nextMark(text, at, to, sieve, budget)
    if (at + sieve.named > to) break
    const name = nameOf(text, at, sieve)
    marks.set(name, marks.has(name) ? SEVERAL : at)
  }
  return marks
}

/** The next place that is a mark, or where the budget or the text ends. */
function nextMark(text: string, from: number, to: number, { shift, rare }: Sieve, budget: Budget): number {
  const most = Math.min(to, from + Math.ceil(budget.left / COST.character))
  const window = 32 / shift
  let hash = 0
  let at = from
  for (; at < most; at++) {
    hash = (hash << shift) ^ Math.imul(text.charCodeAt(at), 0x9e3779b1)
    if (hash >>> (32 - rare) === 0 && at - from >= window) break
  }
  budget.left -= (at - from) * COST.character + COST.mark
  return at
}

function nameOf(text: string, at: number, { named }: Sieve): number {
  let hash = 0
  for (let i = at; i < at + named; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x9e3779b1)
  return hash
}

/** Of stretches in the order of the second text, those that ascend in the first too and are longest together. */
function heaviestChain(found: readonly CommonStretch[]): CommonStretch[] {
  // By stretch: how much a chain that ends with it holds, how much of its beginning the one before it has already,
  // and which that is.
  const weights = new Float64Array(found.length)
  const cuts = new Int32Array(found.length)
  const previous = new Int32Array(found.length)
  let best = -1
  for (let i = 0; i < found.length; i++) {
    const { a, length } = found[i]!
    weights[i] = length
    previous[i] = -1
    for (let j = i - 1; j >= Math.max(0, i - BACK); j--) {
      const cut = Math.max(0, found[j]!.a + found[j]!.length - a)
      if (cut >= length || weights[j]! + length - cut <= weights[i]!) continue
      weights[i] = weights[j]! + length - cut
      cuts[i] = cut
      previous[i] = j
    }
    if (best < 0 || weights[i]! > weights[best]!) best = i
  }
  const chain: CommonStretch[] = []
  for (let i = best; i >= 0; i = previous[i]!) {
    const { a, b, length } = found[i]!
    const cut = previous[i]! < 0 ? 0 : cuts[i]!
    chain.push({ a: a + cut, b: b + cut, length: length - cut })
  }
  return chain.reverse()
}
