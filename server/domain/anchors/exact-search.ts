import type { Budget } from '../budget.ts'
import type { Match } from './similarity.ts'

// A search must end soon on a hostile pair of quote and text (say a million times the same letter), so it counts what
// it does and stops at a limit that honest texts don't reach.
const COST = { found: 50, verified: 1, scanned: 3 }
const EXACT = 50_000_000
const MOST_PLACES = 5_000
const PROBE = 64

/** Every place between `from` and `to` where `exact` stands, also overlapping ones, as far as the budget goes. */
export function findExact(
  content: string,
  exact: string,
  from = 0,
  to = content.length,
  budget: Budget = { left: EXACT },
): Match[] {
  const places: Match[] = []
  if (!exact) return places
  if (isRepetitive(exact)) {
    const most = Math.min(to, content.length, from + Math.max(0, budget.left) / COST.scanned)
    for (const start of repetitions(content, exact, from, most)) {
      if (places.length >= MOST_PLACES) break
      places.push({ start, end: start + exact.length, similarity: 1 })
    }
    const read = places.length >= MOST_PLACES ? places.at(-1)!.end : most
    budget.left -= exact.length + Math.max(0, read - from) * COST.scanned + places.length * COST.found
    return places
  }
  const probe = exact.slice(0, PROBE)
  for (let at = content.indexOf(probe, from); at >= 0; at = content.indexOf(probe, at + 1)) {
    if (at + exact.length > to || places.length >= MOST_PLACES || budget.left < 0) break
    budget.left -= COST.found + exact.length * COST.verified
    if (exact.length > PROBE && !content.startsWith(exact, at)) continue
    places.push({ start: at, end: at + exact.length, similarity: 1 })
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
