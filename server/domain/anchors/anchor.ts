import type { Anchor, Range } from '../../contract/records.ts'
import { splitsPair } from '../common-ends.ts'
import { bestMatch, CONTEXT, findAlike, findExact, type Match } from './quote-search.ts'
import type { Work } from '../budget.ts'

export type { Anchor, Range }

// Below this share of unchanged characters, words that are merely similar would be taken for the quoted ones.
export const ALIKE = 0.75
// In very short quotes one character makes another word.
const ALIKE_SHORT = 0.9
export const SHORT = 8
const NEAR = 500_000
/** Whoever may comment may have an anchor placed, in any text: it holds everybody up for no longer than that. */
const PLACING = 20_000_000
/** Among so many occurrences the ones nearest to the old place are compared. */
const MANY = 500
const REACHES = [20_000, 200_000, Infinity]

/** The anchor of a stretch of text: its words, up to 32 characters on each side, and where it begins. */
export function anchorAt(content: string, start: number, end: number): Anchor {
  let before = Math.max(0, start - CONTEXT)
  let after = Math.min(content.length, end + CONTEXT)
  if (splitsPair(content, before)) before++
  if (splitsPair(content, after)) after--
  return {
    exact: content.slice(start, end),
    prefix: content.slice(before, start),
    suffix: content.slice(end, after),
    start,
  }
}

/**
 * Where an anchor that was made elsewhere (or long ago) stands in this text: exactly at its offset, if what stood around
 * it does so there; else at the exact occurrence that fits its context best; else where nearly the same words stand.
 * Null when they are nowhere.
 */
export function placeAnchor(content: string, anchor: Anchor, work: Work = { left: PLACING }): Range | null {
  const { exact, start } = anchor
  if (!exact) return null
  const atOffset = findAtOffset(content, anchor)
  if (atOffset?.inContext) return rangeOf(atOffset)
  const places = findNear(content, exact, start, work)
  const exactly = bestMatch(content, anchor, withOffset(places, atOffset), start, work)
  if (exactly) return rangeOf(exactly)
  const from = Math.max(0, Math.min(start, content.length) - NEAR)
  const alike = findAlike(content, exact, leastLikeness(exact), start, from, from + 2 * NEAR, work)
  return rangeOf(bestMatch(content, anchor, alike, start, work))
}

/** The places where words stand, from the old place outwards until there are many. */
function findNear(content: string, exact: string, start: number, work: Work): Match[] {
  let places: Match[] = []
  for (const reach of REACHES) {
    const from = Math.max(0, Math.min(start, content.length) - reach)
    places = findExact(content, exact, from, Math.min(content.length, start + exact.length + reach), work)
    if (places.length >= MANY || work.left < 0) break
  }
  return places
}

/** The words at the very offset that the anchor has, if they stand there; `inContext` if all around them does, too. */
export function findAtOffset(
  content: string,
  { exact, prefix, suffix, start }: Anchor,
): (Match & { inContext: boolean }) | null {
  if (start < 0 || !content.startsWith(exact, start)) return null
  const end = start + exact.length
  const [before, after] = [prefix.slice(-CONTEXT), suffix.slice(0, CONTEXT)]
  const inContext = content.endsWith(before, start) && content.startsWith(after, end)
  return { start, end, likeness: 1, inContext }
}

/** A search among very many places may end before it has come to that one. */
export const withOffset = (places: Match[], atOffset: Match | null): Match[] =>
  atOffset === null || places.some(({ start }) => start === atOffset.start) ? places : [...places, atOffset]

const leastLikeness = (quote: string) => (quote.length < SHORT ? ALIKE_SHORT : ALIKE)
const rangeOf = (match: Match | null): Range | null => match && { start: match.start, end: match.end }
