import type { AlikeWords } from '../contract/records/changes.ts'
import type { TakenWords } from './taken-words.ts'

/**
 * By what one’s own text has changed; a mend is what is done after undo or redo to what they have left. What is done
 * beside the editor isn’t its history’s to take back.
 */
export type Doing = 'typing' | 'undo' | 'redo' | 'mend' | 'beside'

/** Something that was done to one’s own text. */
export interface OwnStep {
  doing: Doing
  number: number
  /** Whether undo takes it back in one with what was done before. */
  goesOn: boolean
  /** The numbers of what it takes back, where undo or redo has made it. */
  takesBack: readonly number[]
  /** What it has of words that others wrote alike, in the text that it leaves. */
  alike?: readonly AlikeWords[]
}

/** Words of others may stand between where words were taken out and where the history brings them back. */
const near = 32

/** Whether what takes back steps of such numbers in such a place may bring back some words; null if their steps aren’t known. */
export const mayBringBack = (
  takesBack: readonly number[],
  place: { from: number; to: number },
  { numbers, at, since = Infinity }: Pick<TakenWords, 'numbers' | 'at' | 'since'>,
): boolean =>
  numbers
    ? numbers.some((number) => takesBack.includes(number))
    : takesBack.some((number) => number < since) && at.start <= place.to + near && place.from <= at.end + near
