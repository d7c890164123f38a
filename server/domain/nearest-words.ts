import type { Range } from '../contract/records/anchors.ts'
import { findSimilar } from './anchors/approximate-search.ts'
import { similarity, type Match } from './anchors/similarity.ts'
import type { Budget } from './budget.ts'

/** What the nearest words must have in common with those that were asked for; they are only shown. */
const near = 0.6
/** For looking for the nearest words: in the largest text some tenths of a second. */
const nearBudget = 200_000_000

/** Of these, so many are compared once more, with whole words. */
const mostCompared = 60
const wordWeight = 0.1

/** The places that are most like what is wanted, the nearest first, none over another. */
export function nearestWords(text: string, wanted: string, most: number): Range[] {
  const budget: Budget = { left: nearBudget }
  const found = findSimilar(text, wanted, near, 0, 0, text.length, budget)
  found.sort((one, other) => other.similarity - one.similarity || one.start - other.start)
  const count = countWords(wanted)
  const whole = new Map<string, Match>()
  for (const match of found.slice(0, mostCompared)) {
    const range = wholeWords(text, match, wanted)
    for (const { start, end } of [range, withWords(text, range, count)]) {
      if (start === end || whole.has(`${start} ${end}`)) continue
      const words = text.slice(start, end)
      // Another word in the place of one is likelier than one more or less.
      const others = Math.abs(countWords(words) - count) * wordWeight
      whole.set(`${start} ${end}`, { start, end, similarity: similarity(wanted, words, budget) - others })
    }
  }
  const chosen: Range[] = []
  for (const one of [...whole.values()].sort((one, other) => other.similarity - one.similarity)) {
    if (chosen.length === most) break
    if (chosen.every(({ start, end }) => one.end <= start || one.start >= end)) chosen.push(one)
  }
  return chosen
}

const countWords = (text: string) => text.split(' ').length
/** With the words that follow, up to so many in all. */
function withWords(text: string, { start, end }: Range, count: number): Range {
  let to = end
  for (let more = count - countWords(text.slice(start, end)); more > 0 && text[to] === ' '; more--) {
    to++
    while (to < text.length && isOfWord(text[to])) to++
  }
  return { start, end: text[to - 1] === ' ' ? end : to }
}

/** With the rest of words of which only some was matched, unless these are much longer than what is looked for. */
function wholeWords(text: string, match: Range, wanted: string): Range {
  let { start, end } = match
  // What is looked for neither begins nor ends with a space, and with a sign only where that is meant.
  const isBeside = (sign: string | undefined, meant: string | undefined) =>
    sign === ' ' || (!isOfWord(sign) && isOfWord(meant))
  while (start < end && isBeside(text[start], wanted[0])) start++
  while (end > start && isBeside(text[end - 1], wanted.at(-1))) end--
  const least = match.start - wanted.length
  const most = match.end + wanted.length
  let [from, to] = [start, end]
  while (from > least && isInWord(text, from)) from--
  while (to < most && isInWord(text, to)) to++
  return isInWord(text, from) || isInWord(text, to) ? { start, end } : { start: from, end: to }
}
const isOfWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{M}\p{N}]/u.test(sign)
const isInWord = (text: string, at: number) => isOfWord(text[at - 1]) && isOfWord(text[at])
