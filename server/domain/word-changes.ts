import type { Budget } from './budget.ts'
import { proseDiff } from './diff-segments.ts'
import { ofWholeGraphemes } from './whole-graphemes.ts'

/** What was put in at one place of a text, and what stood there instead. */
export interface WordChange {
  /** In the text as it is now. */
  start: number
  end: number
  removed: string
}

/**
 * What has become of a text, word by word, in order; no change begins or ends within a grapheme. Putting `removed` back
 * for each gives the text as it was.
 */
export const wordChanges = (before: string, after: string, budget?: Budget): WordChange[] =>
  ofWholeGraphemes(before, after, proseDiff(before, after, budget)).map(({ fromA, toA, fromB, toB }) => ({
    start: fromB,
    end: toB,
    removed: before.slice(fromA, toA),
  }))
