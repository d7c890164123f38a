import fastDiff from 'fast-diff'
import type { Range } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import { commonEnds } from '../common-ends.ts'
import { textDiff } from '../diff/index.ts'

// Below this share of unchanged characters, words that are merely similar would be taken for the quoted ones.
export const SIMILAR = 0.75
// In very short quotes one character makes another word.
const SIMILAR_IF_SHORT = 0.9
export const SHORT = 8
// Half of an edited word or passage is enough when it stands exactly where the old one stood.
const SIMILAR_IN_PLACE = 0.5

// Texts of at most so many characters are compared by characters, longer ones by words.
const BY_CHARACTERS = 64
const COST = { letter: 4 }
/** Fewer letters in a row agree by chance. */
const IN_A_ROW = 3
/** A short quote is compared with so much by characters: with what was written within it, too. */
const WITHIN = 1_024

/** A place where the words of an anchor stand, or nearly: `similarity` is 1 when they are exactly there. */
export interface Match extends Range {
  similarity: number
}

/** How similar words found anywhere must be to a quote to be taken for it. */
export const leastSimilarity = (quote: string) => (quote.length < SHORT ? SIMILAR_IF_SHORT : SIMILAR)

/** How much of two texts is the same, from 0 to 1: by characters when short, by words when long. */
export function similarity(a: string, b: string, budget: Budget): number {
  const longer = Math.max(a.length, b.length)
  if (longer === 0) return 1
  let same = 0
  if (longer <= BY_CHARACTERS) {
    budget.left -= longer * longer * COST.letter
    for (const [kind, text] of fastDiff(a, b)) if (kind === fastDiff.EQUAL) same += text.length
  } else {
    same = textDiff(a, b, budget).reduce((rest, hunk) => rest - (hunk.toA - hunk.fromA), a.length)
  }
  return same / longer
}

/** Whether one text may be the other with its spelling corrected. Of words, the signs around them don't tell that. */
export function isCorrected(exact: string, text: string, budget: Budget): boolean {
  const mayBe = (one: string, other: string) => {
    const [shorter, longer] = [one.length, other.length].sort((a, b) => a - b) as [number, number]
    return shorter >= longer * SIMILAR_IN_PLACE && similarity(one, other, budget) >= SIMILAR_IN_PLACE
  }
  if (!mayBe(exact, text)) return false
  const words = wordsOf(exact)
  budget.left -= (exact.length + text.length) * COST.letter
  return words === '' || budget.left < 0 || mayBe(words, wordsOf(text))
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{M}\p{N}]+/gu)?.join(' ') ?? ''

/**
 * Whether words found elsewhere may be a quote that was lost: most of them are the quote's, whatever their case and the
 * signs between them, and all that have a digit. Of part numbers, versions and dates, those of others are alike.
 */
export function areOwnWords(exact: string, text: string, budget: Budget): boolean {
  budget.left -= (exact.length + text.length) * COST.letter
  if (budget.left < 0) return false
  const [quoted, found] = [exact, text].map((one) => wordsOf(one.toLowerCase()).split(' ')) as [
    string[],
    string[],
  ]
  const numbers = (words: string[]) => words.filter((word) => /\p{N}/u.test(word)).join(' ')
  if (numbers(quoted) !== numbers(found)) return false
  const left = new Map<string, number>()
  for (const word of quoted) left.set(word, (left.get(word) ?? 0) + 1)
  let same = 0
  for (const word of found) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    same++
  }
  return same * 2 > Math.max(quoted.length, found.length)
}

/**
 * Whether text that has come to stand in the place of a quote, by however many changes, still is some of it: made of it
 * for a third, or holding half of it.
 */
export function holdsWords(exact: string, text: string, budget: Budget): boolean {
  if (exact.includes(text) || text.includes(exact)) return true
  const isShort = exact.length <= BY_CHARACTERS && text.length <= WITHIN
  const [quoted, found] = isShort ? [withoutSpace(exact), withoutSpace(text)] : [exact, text]
  const { head, tail } = commonEnds(quoted, found)
  const same =
    head + tail + sameBetween(middle(quoted, head, tail), middle(found, head, tail), isShort, budget)
  // What can't be told any more isn't held against it.
  return budget.left < 0 || same * 3 >= found.length || same * 2 >= quoted.length
}

const withoutSpace = (text: string) => text.replaceAll(/\s+/g, '')
const middle = (text: string, head: number, tail: number) => text.slice(head, text.length - tail)

function sameBetween(a: string, b: string, byCharacters: boolean, budget: Budget): number {
  if (a === '' || b === '') return 0
  if (!byCharacters)
    return textDiff(a, b, budget).reduce((rest, { fromA, toA }) => rest - (toA - fromA), a.length)
  budget.left -= a.length * b.length * COST.letter
  return fastDiff(a, b)
    .filter(([kind, { length }]) => kind === fastDiff.EQUAL && length >= IN_A_ROW)
    .reduce((sum, [, { length }]) => sum + length, 0)
}
