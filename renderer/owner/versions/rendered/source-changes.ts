import type { SourceRange } from '../../../../server/markdown/rendered.ts'
import type { NumberedSegment } from '../../../feedback/folded-diff.ts'

/** A change, and where it stands in both sources. */
export interface SourceChange {
  number: number
  before: SourceRange
  after: SourceRange
  isBlank: boolean
}

/** The changes of a comparison, in order. */
export function changesOf(segments: readonly NumberedSegment[]): SourceChange[] {
  const changes: SourceChange[] = []
  let [a, b] = [0, 0]
  for (const { kind, text, change } of segments) {
    const from = { a, b }
    if (kind !== 'added') a += text.length
    if (kind !== 'removed') b += text.length
    if (kind === 'same') continue
    const last = changes.at(-1)
    const before = kind === 'removed' ? trimmed(text, from.a) : { start: from.a, end: from.a }
    const after = kind === 'added' ? trimmed(text, from.b) : { start: from.b, end: from.b }
    const isBlank = text.trim() === ''
    if (last && last.number === change) {
      if (kind === 'removed') last.before = joinRanges(last.before, before)
      else last.after = joinRanges(last.after, after)
      last.isBlank &&= isBlank
    } else changes.push({ number: change ?? 0, before, after, isBlank })
  }
  return changes
}

const joinRanges = (one: SourceRange, other: SourceRange) =>
  one.start === one.end ? other : { start: one.start, end: other.end }

/** Where the words of a stretch stand; white space alone stays as it is. */
function trimmed(text: string, at: number): SourceRange {
  const start = text.length - text.trimStart().length
  if (start === text.length) return { start: at, end: at + text.length }
  return { start: at + start, end: at + text.trimEnd().length }
}
