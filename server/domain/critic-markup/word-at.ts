import type { Range } from '../../contract/records/anchors.ts'
import { isLost, type FeedbackPlace } from '../document-feedback.ts'

const longest = 200

/**
 * The word that a comment between words is about: the one before it on its line, else the one after it there. Null,
 * for the whole text, where the line is empty.
 */
export function wordAt(content: string, place: FeedbackPlace | null): Range | null {
  if (place === null || isLost(place)) return null
  const { start: at } = place
  const before = /(\S+)\s*$/u.exec(lineBefore(content, at))
  if (before) {
    const start = at - before[0].length
    return { start, end: start + before[1]!.length }
  }
  const after = /^\s*(\S+)/u.exec(lineAfter(content, at))
  return after && { start: at + after[0].length - after[1]!.length, end: at + after[0].length }
}

/** So much of the line as can hold a word that is worth marking, without half of a character. */
function lineBefore(content: string, at: number): string {
  const part = content.slice(Math.max(0, at - longest), at)
  return (part.split(/[\r\n]/).at(-1) ?? '').replace(/^[\udc00-\udfff]/, '')
}
const lineAfter = (content: string, at: number) =>
  (content.slice(at, at + longest).split(/[\r\n]/)[0] ?? '').replace(/[\ud800-\udbff]$/, '')
