import type { Range } from '../contract/records/anchors.ts'
import { separator } from './separator.ts'
import { isOfLines } from './whole-lines.ts'
import { blanksBehind } from './white-space.ts'

/** White space around what one put in beside words that the other took out. */

/** Where words are put in of which the passage around them was taken out. */
interface Place {
  /** What stands before it. */
  before: string
  put: string
  /** What stands behind it; null where that isn’t known yet, and takes care of it. */
  behind: string | null
  /** What was taken out on either side of it. */
  takenBefore: string
  takenBehind: string
}

/** What is put in without white space at its ends, and what sets it apart. */
export interface SetAmong {
  front: string
  head: number
  tail: number
  back: string
}

/** There is white space on either side once. */
export function setAmong({ before, put, behind, takenBefore, takenBehind }: Place): SetAmong {
  if (put.trim() === '') return { front: '', head: put.length, tail: 0, back: '' }
  const head = before === '' || endsInSpace(before) ? /^[^\S\n]*/.exec(put)![0].length : 0
  const isFree = behind !== null && (behind === '' || beginsWithSpace(behind))
  const tail = isFree ? blanksBehind(put).length : 0
  const words = put.slice(head, put.length - tail)
  const isNear = (one: string, other: string) =>
    one !== '' && other !== '' && !endsInSpace(one) && !beginsWithSpace(other)
  const isGlued = takenBefore !== '' && (beginsWithSpace(takenBefore) || separator(before, words) !== '')
  const isGluedBehind =
    takenBehind !== '' && (endsInSpace(takenBehind) || separator(words, behind ?? '') !== '')
  const gap = words.includes('\n') ? '\n' : ' '
  return {
    front: isGlued && isNear(before, words) ? ' ' : '',
    head,
    tail,
    back: isGluedBehind && isNear(words, behind ?? '') ? gap : '',
  }
}

/**
 * By how much to move where a passage was taken out within lines, since the same text is left if white space at its one
 * end stood at the other: so that what is left has white space where what was put in has none.
 * @param put where words were put in, in places of the base, and what they are
 * @param room how far it may reach
 */
export function shiftOf(base: string, taken: Range, put: Range & { words: string }, room: Range): number {
  if (isOfLines(base, taken)) return 0
  const { start, end } = taken
  const isSame = (at: number) => /\s/.test(base.charAt(start + at)) && base[start + at] === base[end + at]
  let by = 0
  if (beginsWithSpace(put.words)) while (start + by > room.start && end + by > put.end && isSame(by - 1)) by--
  else while (start + by < put.start && end + by < room.end && isSame(by)) by++
  return by
}

const beginsWithSpace = (text: string) => /^\s/.test(text)
const endsInSpace = (text: string) => /\s$/.test(text.slice(-1))
