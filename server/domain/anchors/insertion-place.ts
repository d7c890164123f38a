import type { Anchor, Range } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import type { ChangeMap } from '../change-map.ts'
import { splitsPair } from '../common-ends.ts'
import { isBreak } from '../break-change.ts'
import { FollowedPlace, type PutInto } from '../followed-place.ts'
import { isSetting, opensCode } from '../setting-change.ts'
import { lineSigns } from '../sign-change.ts'
import { CONTEXT } from './anchor.ts'
import { findExact } from './exact-search.ts'

/** Whether an anchor is of no words: of a place between characters, where something is to be put in. */
export const isInsertion = ({ exact }: Pick<Anchor, 'exact'>) => exact === ''

/**
 * Where something is to be put in, by an anchor that was made elsewhere or long ago: at its offset, if what stands on
 * both sides does so there; else where that stands, if it does so once. Else null: it would be a guess.
 */
export function findInsertion(
  content: string,
  { prefix, suffix, start }: Anchor,
  budget: Budget,
): Range | null {
  const before = prefix.slice(-CONTEXT)
  const after = suffix.slice(0, CONTEXT)
  const isPlace = (at: number) => at <= content.length && !splitsPair(content, at)
  if (isPlace(start) && content.endsWith(before, start) && content.startsWith(after, start))
    return { start, end: start }
  const around = before + after
  if (around === '') return null
  const [only, ...more] = findExact(content, around, 0, content.length, budget)
  if (!only || more.length > 0 || budget.left < 0) return null
  const at = only.start + before.length
  return isPlace(at) ? { start: at, end: at } : null
}

/**
 * Where it is after changes, each made on the text that the one before has left; null if all around it was replaced.
 * @param put what is to be put in, where that is known
 */
export function followInsertion(place: Range, changes: Iterable<ChangeMap>, put?: PutInto): Range | null {
  const followed = new FollowedPlace(place)
  for (const map of changes) followed.follow(map)
  return put ? followed.placeOf(put) : followed.place
}

const near = 120

/** What begins bold, a link, an item, a cell and so on, and doesn’t show. */
const opening = /(?:^|\s)(?:[*_~`[!#>|+-]+|\d{1,9}[.)])[ \t]*$/
/** A word in the same line that isn’t of such signs alone. */
const wordInLine = /^[ \t]*(?![*_~`[\]!#>|+-]+(?:\s|$))\S/

/**
 * Whether the word behind a place shows where something is to be put in: where there is none before it, and where signs
 * stand between that and the place, which begin what the word behind is in.
 */
export const isShownByNext = (before: string, after: string): boolean =>
  before.trim() === '' || (opening.test(before) && wordInLine.test(after))

/** Signs alone, such as those between cells, don’t show. */
const wordBefore = /(?<!\S)(?![*_~`[\]!#>|+:-]+(?:\s|$))(\S+)(?:\s+[*_~`[\]!#>|+:-]+(?!\S))*\s*$/
const wordBehind = /^\s*(?:(?:[*_~`[\]!#>|+:-]+|\d{1,9}[.)])\s+)*(\S+)/

const addressBegins = /\]\([^()\s]*$/
const addressEnds = /^[^()\s]*\)/

/**
 * The words of whole texts, of which nothing shows by itself: white space, signs, links’ addresses, and lines that only
 * set how others show.
 */
export function isUnseen(content: string, { start, end }: Range): boolean {
  const words = content.slice(start, end)
  if (words.trim() === '' || isBreak(words)) return true
  const [before, after] = [content.slice(Math.max(0, start - near), start), content.slice(end, end + near)]
  if (addressBegins.test(before) && addressEnds.test(words + after)) return true
  return isSetting(before, words, after)
}

const divider = /^\s*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/

/** Whether all that they are is the sign of a divider, which has no words. */
export const isDivider = (words: string): boolean => divider.test(words.trimEnd())

/** The word that shows where something is to be put in: the one before the place, or else the one behind it. */
export function wordBeside(content: string, { start, end }: Range): Range | null {
  const from = Math.max(0, start - near)
  const [before, after] = [content.slice(from, start), content.slice(start, start + near)].map((part) =>
    part.toWellFormed(),
  )
  // Of code the first word stands for its language.
  if (
    isSetting(before!, content.slice(start, end), content.slice(end, end + near)) &&
    opensCode(before!, '', after!)
  )
    return wordFrom(content, lineEnd(content, start))
  const found = isShownByNext(before!, after!) ? null : wordBefore.exec(before!)
  if (found) return { start: from + found.index, end: from + found.index + found[1]!.length }
  return wordFrom(content, start)
}

function wordFrom(content: string, start: number): Range | null {
  const next = wordBehind.exec(content.slice(start, start + near).toWellFormed())
  return next && { start: start + next[0].length - next[1]!.length, end: start + next[0].length }
}

function lineEnd(content: string, start: number): number {
  const end = content.indexOf('\n', start)
  return end < 0 ? content.length : end
}

/** The first word behind the signs that a stretch of whole lines begins with; all of it where there is none. */
export function firstWord(content: string, { start, end }: Range): Range {
  const signs = lineSigns.exec(content.slice(start, end))![0].length
  const word = /^\S{1,120}/.exec(content.slice(start + signs, end))?.[0].length ?? 0
  return word > 0 ? { start: start + signs, end: start + signs + word } : { start, end }
}
