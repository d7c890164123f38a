import type { Anchor, Range } from '../contract/records/anchors.ts'
import { findFirst } from './anchors/exact-search.ts'
import type { Readable } from './pieced-text.ts'
import { toldBy } from './whole-ends.ts'

/** A letter, digit or mark of a script that puts spaces between its words: where there are none, each word ends anywhere. */
const letter = String.raw`[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]`
/** These belong to a word where its letters go on behind them; at its end they may as well be quotes or emphasis. */
const link = String.raw`[_'\u2019\u200C\u200D]+`
const at = {
  end: new RegExp(`${letter}$`, 'v'),
  linkedEnd: new RegExp(`${letter}${link}$`, 'v'),
  start: new RegExp(`^${letter}`, 'v'),
  linkedStart: new RegExp(`^${link}${letter}`, 'v'),
}
const plain = /^[\x20-\x7E]*$/
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Whether a word, or a character as people see it, goes on from one text to the next. */
export function isOneWord(left: string, right: string): boolean {
  if (left === '' || right === '') return false
  const [before, behind] = [left.slice(-toldBy), right.slice(0, toldBy)]
  if (at.end.test(before) && (at.start.test(behind) || at.linkedStart.test(behind))) return true
  if (at.linkedEnd.test(before) && at.start.test(behind)) return true
  if (plain.test(before.slice(-1) + behind.slice(0, 1))) return false
  return segmenter.segment(before + behind).containing(before.length)?.index !== before.length
}

/** What stands on both sides of some words. */
export interface Sides {
  before: string
  behind: string
}

export const sidesOf = (content: Pick<Readable, 'slice'>, { start, end }: Range): Sides => ({
  before: content.slice(Math.max(0, start - toldBy), start),
  behind: content.slice(end, end + toldBy),
})

/** Whether words go on as a part of larger ones at an end at which they didn’t: then they are others. */
export function areLarger(words: string, then: Sides, now: Sides): boolean {
  const [isPartAtStart, isPartAtEnd] = [goOnBefore(words, now), goOnBehind(words, now)]
  return (isPartAtStart && !goOnBefore(words, then)) || (isPartAtEnd && !goOnBehind(words, then))
}

const goOnBefore = (words: string, { before, behind }: Sides) => isOneWord(before, words + behind)
const goOnBehind = (words: string, { before, behind }: Sides) => isOneWord(before + words, behind)

/** The same of the words that stand at a place since they were anchored; false where their anchor doesn’t say. */
export const haveGrown = (content: string, place: Range, anchor: Anchor): boolean =>
  haveGrownBeside(content.slice(place.start, place.end), sidesOf(content, place), anchor)

/** The same of words beside which something stands now. */
export function haveGrownBeside(words: string, now: Sides, anchor: Anchor): boolean {
  if (!goOnBefore(words, now) && !goOnBehind(words, now)) return false
  const then = sidesThen(words, anchor)
  return then !== null && areLarger(words, then, now)
}

/** What stood on both sides of words as their anchor was made; null where it doesn’t say. */
function sidesThen(words: string, { exact, prefix, suffix }: Anchor): Sides | null {
  const within = findFirst(exact, words)
  if (within >= 0)
    return { before: prefix + exact.slice(0, within), behind: exact.slice(within + words.length) + suffix }
  const around = findFirst(words, exact)
  const [head, tail] = [words.slice(0, around), words.slice(around + exact.length)]
  if (around < 0 || !prefix.endsWith(head) || !suffix.startsWith(tail)) return null
  return { before: prefix.slice(0, prefix.length - head.length), behind: suffix.slice(tail.length) }
}
