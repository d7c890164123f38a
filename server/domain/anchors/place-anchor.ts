/** Places of which nothing but the anchor is known; those that a change has moved, or a text written anew, are in `anchors-after-changes`. */

import type { Anchor, Range } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import { CONTEXT } from './anchor.ts'
import { findSimilar } from './approximate-search.ts'
import { bestMatch } from './best-match.ts'
import { findExact } from './exact-search.ts'
import { leastSimilarity, type Match } from './similarity.ts'

const NEAR = 500_000
/** Whoever may comment may have an anchor placed, in any text: it holds everybody up for no longer than that. */
const PLACING = 20_000_000
/** Among so many occurrences the ones nearest to the old place are compared. */
const MANY = 500
const REACHES = [20_000, 200_000, Infinity]

/**
 * Where an anchor that was made elsewhere (or long ago) stands in this text: exactly at its offset, if what stood around
 * it does so there; else at the exact occurrence that fits its context best; else where nearly the same words stand.
 * Null when they are nowhere.
 */
export function placeAnchor(
  content: string,
  anchor: Anchor,
  budget: Budget = { left: PLACING },
): Range | null {
  const { exact, start } = anchor
  if (!exact) return null
  const atOffset = findAtOffset(content, anchor)
  if (atOffset?.inContext) return { start, end: start + exact.length }
  const places = findNear(content, exact, start, budget)
  const exactly = bestMatch(content, anchor, withOffset(places, atOffset), start, budget)
  if (exactly) return exactly
  const from = Math.max(0, Math.min(start, content.length) - NEAR)
  const similar = findSimilar(content, exact, leastSimilarity(exact), start, from, from + 2 * NEAR, budget)
  return bestMatch(content, anchor, similar, start, budget)
}

/** The places where words stand, from the old place outwards until there are many. */
function findNear(content: string, exact: string, start: number, budget: Budget): Match[] {
  let places: Match[] = []
  for (const reach of REACHES) {
    const from = Math.max(0, Math.min(start, content.length) - reach)
    places = findExact(content, exact, from, Math.min(content.length, start + exact.length + reach), budget)
    if (places.length >= MANY || budget.left < 0) break
  }
  return places
}

/** The words at the very offset that the anchor has, if they stand there; `inContext` if all around them does, too. */
function findAtOffset(
  content: string,
  { exact, prefix, suffix, start }: Anchor,
): (Match & { inContext: boolean }) | null {
  if (start < 0 || !content.startsWith(exact, start)) return null
  const end = start + exact.length
  const [before, after] = [prefix.slice(-CONTEXT), suffix.slice(0, CONTEXT)]
  const inContext = content.endsWith(before, start) && content.startsWith(after, end)
  return { start, end, similarity: 1, inContext }
}

/** A search among very many places may end before it has come to that one. */
const withOffset = (places: Match[], atOffset: Match | null): Match[] =>
  atOffset === null || places.some(({ start }) => start === atOffset.start) ? places : [...places, atOffset]
