import { CHANGE_BUDGET, type Budget } from '../budget.ts'
import { commonPrefix, commonSuffix } from '../common-ends.ts'
import { joinTouching, sizeOf, type Hunk } from '../hunk.ts'
import { firstBoundary, lastBoundary, slideToBoundaries, trimToWords } from './boundaries.ts'
import { COARSE, commonStretches, FINE, type Sieve } from './common-stretches.ts'
import { Comparison, LINES, WORDS } from './comparison.ts'

const MOSTLY = 7 / 8
const LARGE = 1_000_000
/** What comparing by words takes for each character. */
const BY_WORDS = 35

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
  const isLarge = sizeOf(rough) > LARGE
  const byLines =
    !isLarge && isOneLine(before, after, rough)
      ? [rough]
      : comparison.refine(isLarge ? between(rough, COARSE) : [rough], LINES)
  const changed = byLines.reduce((sum, hunk) => sum + hunk.toA - hunk.fromA, 0)
  // When hardly a line is left (a text wrapped anew), those that agree do so by chance and would hold words apart.
  const mostly = changed > (whole.toA - whole.fromA) * MOSTLY
  const readable = (mostly ? [rough] : byLines).flatMap((hunk) =>
    sizeOf(hunk) * BY_WORDS > budget.left ? between(hunk, FINE) : [hunk],
  )
  const byWords = joinTouching(comparison.refine(readable, WORDS))
  return joinTouching(slideToBoundaries(before, after, byWords, budget))
}

/** Whether one line has become another, and nothing is to be found by comparing lines. */
const isOneLine = (before: string, after: string, { fromA, toA, fromB, toB }: Hunk) =>
  toA > fromA && toB > fromB && endsInLine(before, fromA, toA) && endsInLine(after, fromB, toB)

function endsInLine(text: string, from: number, to: number): boolean {
  const end = text.indexOf('\n', from)
  return end < 0 || end >= to - 1
}

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
