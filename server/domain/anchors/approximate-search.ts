import searchApproximately from 'approx-string-match'
import type { Range } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import { splitsPair } from '../common-ends.ts'
import { findExact } from './exact-search.ts'
import { similarity, type Match } from './similarity.ts'

const COST = { near: 30, alike: 20_000 }
const MOST_SCORED = 50
const PROBE = 64
// Small, because a hostile chunk costs its limit of matches many times over before it is noticed.
const CHUNK = 2_048
const MOST_SIMILAR = 500
const LONG_QUOTE = 256

/**
 * The places between `from` and `to` most like `quote`, with at least the similarity asked for (the share of its
 * characters that need no change). Looks near `hint` first.
 */
export function findSimilar(
  content: string,
  quote: string,
  least: number,
  hint: number,
  from: number,
  to: number,
  budget: Budget,
): Match[] {
  if (quote.length > LONG_QUOTE) return findLongSimilar(content, quote, least, hint, from, to, budget)
  const most = Math.floor(quote.length * (1 - least) + 1e-9)
  if (most === 0) return findExact(content, quote, from, to, budget)
  const found = new Map<string, Match>()
  const overlap = quote.length + most
  for (const chunk of chunksByDistance(from, Math.min(to, content.length), hint)) {
    const text = content.slice(chunk.start, Math.min(to, chunk.end + overlap))
    budget.left -= text.length * COST.near
    if (budget.left < 0) break
    for (const { start, end, errors } of searchApproximately(text, quote, most)) {
      budget.left -= COST.alike
      const range = wholeCharacters(content, chunk.start + start, chunk.start + end)
      found.set(`${range.start}:${range.end}`, { ...range, similarity: 1 - errors / quote.length })
    }
    if (found.size > MOST_SIMILAR) break
  }
  return [...found.values()]
}

// Long quotes are found by how they begin and end, and then compared by words.
function findLongSimilar(
  content: string,
  quote: string,
  least: number,
  hint: number,
  from: number,
  to: number,
  budget: Budget,
): Match[] {
  const heads = findSimilar(content, quote.slice(0, PROBE), least, hint, from, to, budget)
  const tails = findSimilar(content, quote.slice(-PROBE), least, hint + quote.length, from, to, budget)
  const pairs: { start: number; end: number; cost: number }[] = []
  for (const head of heads.slice(0, MOST_SCORED)) {
    for (const tail of tails.slice(0, MOST_SCORED)) {
      const length = tail.end - head.start
      if (length < quote.length * least || length * least > quote.length) continue
      const cost = Math.abs(length - quote.length) / quote.length + 2 - head.similarity - tail.similarity
      pairs.push({ start: head.start, end: tail.end, cost })
    }
  }
  pairs.sort((a, b) => a.cost - b.cost)
  return pairs
    .slice(0, 3)
    .map(({ start, end }) => ({
      start,
      end,
      similarity: similarity(quote, content.slice(start, end), budget),
    }))
    .filter((match) => match.similarity >= least)
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
