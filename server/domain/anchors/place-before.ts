import type { LineEnds } from './lines-after-decisions.ts'

/** So many decisions on one thing are remembered, and so many of a suggestion’s own that were taken back. */
export const mostRemembered = 16

/**
 * Where something stood right before a decision touched that. It is kept until the decision is taken back, as numbers
 * and line ends alone: nothing of the text, which somebody may want to be forgotten.
 */
export interface PlaceBefore {
  /** What the document came to by the decision. */
  revision: number
  /** In the text before it. */
  start: number
  end: number
  /** Of words that are to be put in, how their ends were then, where the decision has put others. */
  lineEnds?: LineEnds
  /** Of a suggestion that was decided meanwhile: that it was taken back by that revision, and where it stood after it. */
  isBack?: true
}
