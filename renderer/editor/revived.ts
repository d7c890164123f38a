import { commonPrefix, commonSuffix } from '../../server/domain/common-ends.ts'

/** How much of deleted words has to be in what came for these to be the same words. */
const SIMILAR = 0.75

/**
 * Whether text that someone else put where words were deleted is those words again: someone was changing them while
 * they were deleted, and they stayed.
 */
export function isRevival(deleted: string, came: string): boolean {
  const lost = wordsOf(deleted)
  const found = new Map<string, number>()
  for (const word of wordsOf(came)) found.set(word, (found.get(word) ?? 0) + 1)
  const missing: string[] = []
  for (const word of lost) {
    const left = found.get(word) ?? 0
    if (left > 0) found.set(word, left - 1)
    else missing.push(word)
  }
  // A word may have been changed itself.
  const others = [...found].flatMap(([word, left]) => (left > 0 ? [word] : []))
  let gone = 0
  for (const [i, word] of missing.entries()) {
    const other = others[i] ?? ''
    const head = commonPrefix(word, other)
    gone += word.length - head - commonSuffix(word, other, head)
  }
  const all = lost.reduce((sum, word) => sum + word.length, 0)
  // A part of a word may begin another one by chance.
  const isByChance = missing.length === lost.length && (all - gone) * 2 <= others.join('').length
  if (isByChance) return false
  return all > 0 && gone <= all * (1 - SIMILAR)
}

const wordsOf = (text: string): string[] => text.match(/\S+/g) ?? []
