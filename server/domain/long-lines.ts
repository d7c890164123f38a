import type { Range } from '../contract/records/anchors.ts'
import type { ChangeSet } from './change-set.ts'
import type { Readable } from './pieced-text.ts'

const lineEnd = /\r\n?|\n/

/** Of the lines that are longer than that: the length of the longest, and of all. */
function longLines(text: string, most: number): { longest: number; all: number } {
  const long = { longest: 0, all: 0 }
  if (text.length <= most) return long
  for (const { length } of text.split(lineEnd)) {
    if (length <= most) continue
    long.longest = Math.max(long.longest, length)
    long.all += length
  }
  return long
}

/** Whether a change may have made one: only what is around its places is read. */
function mayHaveLongLine(after: Readable, changes: ChangeSet, most: number): boolean {
  let found = false
  let [from, to] = [0, 0]
  const look = () => (found ||= longLines(after.slice(from, to), most).all > 0)
  changes.iterChangedRanges((_fromA, _toA, start, end) => {
    if (start - most - 1 > to) {
      look()
      from = start - most - 1
    }
    to = end + most + 1
  })
  look()
  return found
}

/**
 * Whether lines that are longer than that are made, or made longer. Those that are there may stay, be moved and be broken.
 * @param changes by which the one text became the other, where they are known
 */
export function hasLongerLine(before: Readable, after: Readable, most: number, changes?: ChangeSet): boolean {
  if (after.length <= most || (changes && !mayHaveLongLine(after, changes, most))) return false
  const there = longLines(before.toString(), most)
  const { longest, all } = longLines(after.toString(), most)
  return longest > there.longest || all > there.all
}

/**
 * The same of a replacement that may be made some time, by the lines that it stands in alone: other long ones don’t count.
 * @param text the whole text, as it is now
 */
export function wouldMakeLongerLine(
  text: string,
  { start, end }: Range,
  insert: string,
  most: number,
): boolean {
  if (text.length - (end - start) + insert.length <= most) return false
  const from = lineStart(text, start)
  const to = lineEndAfter(text, end)
  const after = text.slice(from, start) + insert + text.slice(end, to)
  return hasLongerLine(text.slice(from, to), after, most)
}

/** Reads no further than the line goes. */
function lineStart(text: string, at: number): number {
  const from = text.lastIndexOf('\n', at - 1) + 1
  return at === 0 ? 0 : from + text.slice(from, at).lastIndexOf('\r') + 1
}

function lineEndAfter(text: string, at: number): number {
  const next = text.indexOf('\n', at)
  const to = next < 0 ? text.length : next
  const back = text.slice(at, to).indexOf('\r')
  return back < 0 ? to : at + back
}
