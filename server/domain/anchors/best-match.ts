import searchApproximately from 'approx-string-match'
import type { Anchor, Range } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import { commonPrefix, commonSuffix } from '../common-ends.ts'
import type { Readable } from '../pieced-text.ts'
import { CONTEXT } from './anchor.ts'
import type { Match } from './similarity.ts'

const COST = { judged: 40_000, letter: 4 }
const MOST_SCORED = 50

export interface ContextSimilarity {
  /** undefined where the anchor doesn't say what stood there. */
  prefix: number | undefined
  suffix: number | undefined
}

/** How well what stands around a place fits what stood around the anchor. */
export function contextSimilarity(
  content: Readable,
  anchor: Anchor,
  place: Range,
  budget: Budget,
): ContextSimilarity {
  const side = (expected: string, actual: string, agreeing: typeof commonPrefix) => {
    if (actual === expected) return 1
    if (!actual) return 0
    budget.left -= COST.judged
    if (budget.left < 0) return agreeing(expected, actual) / expected.length
    const [best] = searchApproximately(actual, expected, expected.length)
    return best ? 1 - best.errors / expected.length : 0
  }
  const prefix = anchor.prefix.slice(-CONTEXT)
  const suffix = anchor.suffix.slice(0, CONTEXT)
  return {
    prefix: prefix
      ? side(prefix, content.slice(Math.max(0, place.start - prefix.length), place.start), commonSuffix)
      : // Nothing before it and no offset: it stood at the very beginning.
        anchor.start === 0
        ? Number(place.start === 0)
        : undefined,
    suffix: suffix
      ? side(suffix, content.slice(place.end, place.end + suffix.length), commonPrefix)
      : place.end === content.length
        ? 1
        : undefined,
  }
}

/**
 * The best of several places, weighed as Hypothesis' client does: the quote 50, what stands before and after it 20
 * each, closeness to where it was 2.
 */
export function bestMatch(
  content: Readable,
  anchor: Anchor,
  matches: Match[],
  hint: number,
  budget: Budget,
): Range | null {
  if (matches.length < 2) return rangeOf(matches[0])
  const distance = (match: Match) => Math.abs(match.start - hint) / Math.max(1, content.length)
  let few = matches
  if (matches.length > MOST_SCORED) {
    // Approximate context costs a thousand times what comparing outwards until the first difference does.
    budget.left -= matches.length * CONTEXT * COST.letter
    const rough = (match: Match) =>
      match.similarity * 50 + agreeingContext(content, anchor, match) - 2 * distance(match)
    few = matches
      .map((match) => ({ match, score: rough(match) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST_SCORED)
      .map(({ match }) => match)
  }
  let best: Match | null = null
  let bestScore = -Infinity
  for (const match of few) {
    const { prefix = 1, suffix = 1 } = contextSimilarity(content, anchor, match, budget)
    const score = 50 * match.similarity + 20 * prefix + 20 * suffix + 2 * (1 - distance(match))
    if (score > bestScore) {
      best = match
      bestScore = score
    }
  }
  return rangeOf(best)
}

const rangeOf = (match: Match | null | undefined): Range | null =>
  match ? { start: match.start, end: match.end } : null

function agreeingContext(content: Readable, anchor: Anchor, { start, end }: Range): number {
  const before = commonSuffix(
    anchor.prefix.slice(-CONTEXT),
    content.slice(Math.max(0, start - CONTEXT), start),
  )
  return before + commonPrefix(anchor.suffix.slice(0, CONTEXT), content.slice(end, end + CONTEXT))
}
