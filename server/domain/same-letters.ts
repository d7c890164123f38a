import type { Budget } from './budget.ts'
import { commonEnds, splitsPair } from './common-ends.ts'
import { joinTouching, sizeOf, type Hunk } from './hunk.ts'

/** Fewer letters in a row are in many words that have nothing to do with one another. */
const leastOfRun = 4
/** Inside of words that are mostly the same, fewer tell as much; a single one is there by chance. */
const leastInside = 2

/** So many letters are the same in both, from these places on. */
interface Run {
  a: number
  b: number
  size: number
}

/**
 * Hunks that leave alone what stays the same letter by letter, where a word was replaced as a whole although only some of
 * it changed. Where both have little in common, only long runs count.
 */
export function letterHunks(
  hunks: readonly Hunk[],
  before: string,
  after: string,
  budget: Budget,
): readonly Hunk[] {
  if (hunks.every(({ fromA, toA, fromB, toB }) => fromA === toA || fromB === toB)) return hunks
  return joinTouching(hunks.flatMap((hunk) => split(hunk, before, after, budget)))
}

function split(hunk: Hunk, before: string, after: string, budget: Budget): Hunk[] {
  const [a, b] = [before.slice(hunk.fromA, hunk.toA), after.slice(hunk.fromB, hunk.toB)]
  if (a === '' || b === '') return [hunk]
  const all = runsOf(a, b, budget)
  const same = all.reduce((sum, { size }) => sum + size, 0)
  const runs = same * 2 >= Math.min(a.length, b.length) ? all : all.filter(({ size }) => size >= leastOfRun)
  const parts: Hunk[] = []
  let { fromA, fromB } = hunk
  for (const run of [...runs, { a: a.length, b: b.length, size: 0 }]) {
    const part = { fromA, toA: hunk.fromA + run.a, fromB, toB: hunk.fromB + run.b }
    if (sizeOf(part) > 0) parts.push(part)
    fromA = part.toA + run.size
    fromB = part.toB + run.size
  }
  return parts
}

/** What both have in common, in order: their ends, and between these the longest run, and so on at its sides. */
function runsOf(a: string, b: string, budget: Budget): Run[] {
  const runs: Run[] = []
  const { head, tail } = commonEnds(a, b)
  if (head > 0) runs.push({ a: 0, b: 0, size: head })
  if (tail > 0) runs.push({ a: a.length - tail, b: b.length - tail, size: tail })
  const pending = [{ fromA: head, toA: a.length - tail, fromB: head, toB: b.length - tail }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const run = longestRun(a, b, next, budget)
    if (!run) continue
    runs.push(run)
    pending.push({ ...next, toA: run.a, toB: run.b })
    pending.push({ ...next, fromA: run.a + run.size, fromB: run.b + run.size })
  }
  return runs.toSorted((one, other) => one.a - other.a)
}

function longestRun(a: string, b: string, { fromA, toA, fromB, toB }: Hunk, budget: Budget): Run | null {
  const cost = (toA - fromA) * (toB - fromB)
  if (cost === 0 || cost > budget.left) return null
  budget.left -= cost
  let best: Run = { a: 0, b: 0, size: 0 }
  // How long the runs are that end with each letter of `b`, and the letter of `a` before.
  const sizes = new Uint32Array(toB - fromB + 1)
  for (let i = fromA; i < toA; i++)
    for (let j = toB - 1; j >= fromB; j--) {
      const size = a.charCodeAt(i) === b.charCodeAt(j) ? sizes[j - fromB]! + 1 : 0
      sizes[j - fromB + 1] = size
      if (size > best.size) best = { a: i + 1 - size, b: j + 1 - size, size }
    }
  const whole = ofWholeCharacters(best, a, b)
  return whole.size >= leastInside ? whole : null
}

function ofWholeCharacters(run: Run, a: string, b: string): Run {
  const cuts = (by: number) => splitsPair(a, run.a + by) || splitsPair(b, run.b + by)
  const start = cuts(0) ? 1 : 0
  const end = cuts(run.size) ? run.size - 1 : run.size
  return { a: run.a + start, b: run.b + start, size: Math.max(0, end - start) }
}
