import { commonEnds } from '../../server/domain/common-ends.ts'
import type { Hunk } from '../../server/domain/hunk.ts'

export interface LetterChange {
  from: number
  to: number
  insert: string
}

/**
 * What makes one text of the other, to the letter. Hunks are of whole words: where someone else wrote against a word of
 * ours, ours would go and come back as theirs, and undo would find nothing of it.
 */
export function letterChanges(before: string, after: string, hunks: readonly Hunk[]): LetterChange[] {
  return hunks.map(({ fromA, toA, fromB, toB }) => {
    const old = before.slice(fromA, toA)
    const now = after.slice(fromB, toB)
    const { head, tail } = commonEnds(old, now)
    return { from: fromA + head, to: toA - tail, insert: now.slice(head, now.length - tail) }
  })
}
