import type { Range } from '../contract/records/anchors.ts'
import { isAtEnd, isAtStart } from './anchors/lines-after-decisions.ts'
import type { Readable } from './pieced-text.ts'

/**
 * On which side of the line beside it something belongs that is put in: behind it what begins with a line end, before it
 * what ends with one, and within it, at its place, what is only words.
 */
export function sideOfLine(words: string): -1 | 0 | 1 {
  if (/^\r?\n/.test(words)) return 1
  return words.endsWith('\n') ? -1 : 0
}

/** Whether a line begins and ends at a place. */
export interface Edges {
  isStart: boolean
  isEnd: boolean
}

/**
 * How much of what others write at a place stands before what is to be put in there, by the one rule that server and
 * editors have. What is put in at the end of a line stays behind that line, as much of it as there is now; what is put in
 * at a line’s beginning stays before it. Words stay where they were.
 * @param place how much stands before words
 */
export function partBefore(
  { words, place }: { words: string; place: number },
  written: string,
  { isStart, isEnd }: Edges,
): number {
  const side = sideOfLine(words)
  if (side > 0 && isEnd) {
    const end = written.search(/\r?\n/)
    return end < 0 ? written.length : end
  }
  return side < 0 && isStart ? 0 : place
}

/**
 * Where something is to be put in, by that rule.
 * @param written what was written at its place, in the text as it is now
 * @param place where words are
 */
export function besideLine(words: string, text: Readable, { start, end }: Range, place: number): number {
  const edges = { isStart: isAtStart(text, start), isEnd: isAtEnd(text, end) }
  return start + partBefore({ words, place: place - start }, text.slice(start, end), edges)
}
