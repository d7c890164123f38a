import type { Text } from '@codemirror/state'
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

interface Place {
  from: number
  to: number
}

/** On which sides of a place the rest of a word stands of which letters were deleted there. */
interface RestOfWord {
  before: boolean
  behind: boolean
}

const ofWord = /[\p{L}\p{N}\p{M}_'’]/u

export function restOfWord(doc: Text, { text, put }: { text: string; put: Place }): RestOfWord {
  const isWithin = !/\s/.test(text) && ofWord.test(text)
  const isRest = (from: number, to: number) => isWithin && ofWord.test(doc.sliceString(from, to))
  return { before: isRest(Math.max(0, put.from - 1), put.from), behind: isRest(put.to, put.to + 1) }
}

/** Whether white space parts what came from that rest: then it is another’s version of the word, and not those letters. */
export function isSetApart(doc: Text, { from, to }: Place, { before, behind }: RestOfWord): boolean {
  const parts = (at: number) => /\s/.test(doc.sliceString(Math.max(0, at - 1), at + 1))
  return (before && parts(from)) || (behind && parts(to))
}
