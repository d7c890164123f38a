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
  /** The step of the history that what it puts in and takes out belongs to, if there is one. */
  part?: number | null
  /** The steps that count no more with it, and those that do again. */
  undone?: readonly number[]
  redone?: readonly number[]
  /** What was written by steps that count no more, and stands since others have written it, too. */
  standing?: readonly StepPart[]
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

/** Letters of a text, and the step that wrote them or took them out. */
export interface StepPart {
  start: number
  end: number
  step: number
}
