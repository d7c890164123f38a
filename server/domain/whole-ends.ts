import { commonPrefix, commonSuffix } from './common-ends.ts'

/** What stands before and behind a place that is replaced, in both texts. */
interface Around {
  before: string
  behind: string
}

/** So many characters on either side tell whether a text may be cut between them. */
export const toldBy = 32

const endsInWord = /[\p{L}\p{N}\p{M}_'’]$/u
const beginsWithWord = /^[\p{L}\p{N}\p{M}_'’]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Whether neither a word nor a character as people see it goes on from one text to the next. */
function isApart(left: string, right: string): boolean {
  if (left === '' || right === '') return true
  if (endsInWord.test(left.slice(-2)) && beginsWithWord.test(right.slice(0, 2))) return false
  const [before, behind] = [left.slice(-toldBy), right.slice(0, toldBy)]
  return segmenter.segment(before + behind).containing(before.length)?.index === before.length
}

/**
 * How much of what is replaced stays, at both its ends: whole words, since what somebody writes over a word is another
 * one, also where it ends in the same letter. That letter would go where somebody else takes the old word out.
 */
export function wholeEnds(
  old: string,
  put: string,
  { before, behind }: Around,
): { head: number; tail: number } {
  if (old === put) return { head: old.length, tail: 0 }
  const left = (text: string, at: number) => before + text.slice(Math.max(0, at - toldBy), at)
  const right = (text: string, at: number) => text.slice(at, at + toldBy) + behind
  const isCut = (inOld: number, inPut: number) =>
    !isApart(left(old, inOld), right(old, inOld)) || !isApart(left(put, inPut), right(put, inPut))
  let head = commonPrefix(old, put)
  while (head > 0 && isCut(head, head)) head--
  let tail = commonSuffix(old, put, head)
  while (tail > 0 && isCut(old.length - tail, put.length - tail)) tail--
  return { head, tail }
}
