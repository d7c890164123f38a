import searchApproximately from 'approx-string-match'
import fastDiff from 'fast-diff'
import type { Anchor, Range } from '../../contract/records.ts'
import { commonPrefix, commonSuffix, splitsPair } from '../common-ends.ts'
import { textDiff } from '../diff/index.ts'
import type { Work } from '../budget.ts'

/** A place where the words of an anchor stand, or nearly: `likeness` is 1 when they are exactly there. */
export interface Match extends Range {
  likeness: number
}

/** Characters of context that an anchor is told apart by, on each side. */
export const CONTEXT = 32

// Everything here must end soon on a hostile pair of quote and text (say a million times the same letter), so each
// search counts what it does and stops at a limit that honest texts don't reach.
const COST = { found: 50, verified: 1, scanned: 3, near: 30, alike: 20_000, judged: 40_000, letter: 4 }
const EXACT = 50_000_000
const MOST_PLACES = 5_000
const MOST_SCORED = 50
const PROBE = 64
// Small, because a hostile chunk costs its limit of matches many times over before it is noticed.
const CHUNK = 2_048
const MOST_APPROXIMATE = 500
const LONG_QUOTE = 256

/** Every place between `from` and `to` where `exact` stands, also overlapping ones, as far as the work goes. */
export function findExact(
  content: string,
  exact: string,
  from = 0,
  to = content.length,
  work: Work = { left: EXACT },
): Match[] {
  const places: Match[] = []
  if (!exact) return places
  if (isRepetitive(exact)) {
    const most = Math.min(to, content.length, from + Math.max(0, work.left) / COST.scanned)
    for (const start of repetitions(content, exact, from, most)) {
      if (places.length >= MOST_PLACES) break
      places.push({ start, end: start + exact.length, likeness: 1 })
    }
    const read = places.length >= MOST_PLACES ? places.at(-1)!.end : most
    work.left -= exact.length + Math.max(0, read - from) * COST.scanned + places.length * COST.found
    return places
  }
  const probe = exact.slice(0, PROBE)
  for (let at = content.indexOf(probe, from); at >= 0; at = content.indexOf(probe, at + 1)) {
    if (at + exact.length > to || places.length >= MOST_PLACES || work.left < 0) break
    work.left -= COST.found + exact.length * COST.verified
    if (exact.length > PROBE && !content.startsWith(exact, at)) continue
    places.push({ start: at, end: at + exact.length, likeness: 1 })
  }
  return places
}

/**
 * Where `words` first stand, or -1; in time that grows with the two lengths only. The engine's own search, a hundred
 * times faster on what people write, compares a long repetition with every place of a longer one.
 */
export function findFirst(content: string, words: string): number {
  if (isRepetitive(words)) return findRepetitive(content, words, 0)
  const probe = words.slice(0, PROBE)
  let verified = 0
  for (let at = content.indexOf(probe); at >= 0; at = content.indexOf(probe, at + 1)) {
    if (content.startsWith(words, at)) return at
    verified += words.length
    if (verified > content.length) return findRepetitive(content, words, at + 1)
  }
  return -1
}

function findRepetitive(content: string, words: string, from: number): number {
  for (const at of repetitions(content, words, from, content.length)) return at
  return -1
}

/** What looking for the first such words takes. */
export const costOfFirst = (content: string, words: string) => content.length * (isRepetitive(words) ? 6 : 1)

/**
 * Whether the first words are few signs again and again. The engine's search compares them with all of the text at
 * each place of one that is like that.
 */
const isRepetitive = (words: string) =>
  words.length > 16 && new Set(words.slice(0, PROBE).slice(-16)).size <= 4

/** Knuth, Morris and Pratt's search: after a mismatch it never looks back in `content`. */
function* repetitions(content: string, words: string, from: number, to: number): Generator<number> {
  const border = new Int32Array(words.length)
  for (let at = 1, same = 0; at < words.length; at++) {
    while (same > 0 && words.charCodeAt(at) !== words.charCodeAt(same)) same = border[same - 1]!
    if (words.charCodeAt(at) === words.charCodeAt(same)) same++
    border[at] = same
  }
  for (let at = from, same = 0; at < to; at++) {
    const code = content.charCodeAt(at)
    while (same > 0 && (same === words.length || code !== words.charCodeAt(same))) same = border[same - 1]!
    if (code === words.charCodeAt(same)) same++
    if (same === words.length) yield at - same + 1
  }
}

/**
 * The places between `from` and `to` most like `quote`, with at least the likeness asked for (the share of its
 * characters that need no change). Looks near `hint` first.
 */
export function findAlike(
  content: string,
  quote: string,
  least: number,
  hint: number,
  from: number,
  to: number,
  work: Work,
): Match[] {
  if (quote.length > LONG_QUOTE) return findLongAlike(content, quote, least, hint, from, to, work)
  const most = Math.floor(quote.length * (1 - least) + 1e-9)
  if (most === 0) return findExact(content, quote, from, to, work)
  const found = new Map<string, Match>()
  const overlap = quote.length + most
  for (const chunk of chunksByDistance(from, Math.min(to, content.length), hint)) {
    const text = content.slice(chunk.start, Math.min(to, chunk.end + overlap))
    work.left -= text.length * COST.near
    if (work.left < 0) break
    for (const { start, end, errors } of searchApproximately(text, quote, most)) {
      work.left -= COST.alike
      const range = wholeCharacters(content, chunk.start + start, chunk.start + end)
      found.set(`${range.start}:${range.end}`, { ...range, likeness: 1 - errors / quote.length })
    }
    if (found.size > MOST_APPROXIMATE) break
  }
  return [...found.values()]
}

// Long quotes are found by how they begin and end, and then compared by words.
function findLongAlike(
  content: string,
  quote: string,
  least: number,
  hint: number,
  from: number,
  to: number,
  work: Work,
): Match[] {
  const heads = findAlike(content, quote.slice(0, PROBE), least, hint, from, to, work)
  const tails = findAlike(content, quote.slice(-PROBE), least, hint + quote.length, from, to, work)
  const pairs: { start: number; end: number; cost: number }[] = []
  for (const head of heads.slice(0, MOST_SCORED)) {
    for (const tail of tails.slice(0, MOST_SCORED)) {
      const length = tail.end - head.start
      if (length < quote.length * least || length * least > quote.length) continue
      const cost = Math.abs(length - quote.length) / quote.length + 2 - head.likeness - tail.likeness
      pairs.push({ start: head.start, end: tail.end, cost })
    }
  }
  pairs.sort((a, b) => a.cost - b.cost)
  return pairs
    .slice(0, 3)
    .map(({ start, end }) => ({ start, end, likeness: likeness(quote, content.slice(start, end), work) }))
    .filter((match) => match.likeness >= least)
}

function chunksByDistance(from: number, to: number, hint: number): Range[] {
  const chunks: Range[] = []
  for (let start = from; start < to; start += CHUNK) chunks.push({ start, end: Math.min(to, start + CHUNK) })
  const distance = (chunk: Range) => Math.max(chunk.start - hint, hint - chunk.end, 0)
  return chunks.sort((a, b) => distance(a) - distance(b))
}

function wholeCharacters(content: string, start: number, end: number): Range {
  return {
    start: splitsPair(content, start) ? start - 1 : start,
    end: splitsPair(content, end) ? end + 1 : end,
  }
}

/** How much of two texts is the same, from 0 to 1: by characters when short, by words when long. */
export function likeness(a: string, b: string, work: Work): number {
  const longer = Math.max(a.length, b.length)
  if (longer === 0) return 1
  let same = 0
  if (longer <= 2 * CONTEXT) {
    work.left -= longer * longer * COST.letter
    for (const [kind, text] of fastDiff(a, b)) if (kind === fastDiff.EQUAL) same += text.length
  } else {
    same = textDiff(a, b, work).reduce((rest, hunk) => rest - (hunk.toA - hunk.fromA), a.length)
  }
  return same / longer
}

export interface ContextLikeness {
  /** undefined where the anchor doesn't say what stood there. */
  prefix: number | undefined
  suffix: number | undefined
}

/** How well what stands around a place fits what stood around the anchor. */
export function contextLikeness(content: string, anchor: Anchor, place: Range, work: Work): ContextLikeness {
  const side = (expected: string, actual: string, agreeing: typeof commonPrefix) => {
    if (actual === expected) return 1
    if (!actual) return 0
    work.left -= COST.judged
    if (work.left < 0) return agreeing(expected, actual) / expected.length
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
  content: string,
  anchor: Anchor,
  matches: Match[],
  hint: number,
  work: Work,
): Match | null {
  if (matches.length < 2) return matches[0] ?? null
  const distance = (match: Match) => Math.abs(match.start - hint) / Math.max(1, content.length)
  let few = matches
  if (matches.length > MOST_SCORED) {
    // Approximate context costs a thousand times what comparing outwards until the first difference does.
    work.left -= matches.length * CONTEXT * COST.letter
    const rough = (match: Match) =>
      match.likeness * 50 + agreeingContext(content, anchor, match) - 2 * distance(match)
    few = matches
      .map((match) => ({ match, score: rough(match) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST_SCORED)
      .map(({ match }) => match)
  }
  let best: Match | null = null
  let bestScore = -Infinity
  for (const match of few) {
    const { prefix = 1, suffix = 1 } = contextLikeness(content, anchor, match, work)
    const score = 50 * match.likeness + 20 * prefix + 20 * suffix + 2 * (1 - distance(match))
    if (score > bestScore) {
      best = match
      bestScore = score
    }
  }
  return best
}

function agreeingContext(content: string, anchor: Anchor, { start, end }: Range): number {
  const before = commonSuffix(
    anchor.prefix.slice(-CONTEXT),
    content.slice(Math.max(0, start - CONTEXT), start),
  )
  return before + commonPrefix(anchor.suffix.slice(0, CONTEXT), content.slice(end, end + CONTEXT))
}
