export { default as LeftWords } from '../feedback/LeftWords.svelte'
import type { Feedback } from '../feedback/feedback.svelte.ts'
import { LeftWords as Left } from '../feedback/left-words.svelte.ts'

const known = new WeakMap<Feedback, Left>()

/** What was begun on cards that are gone: the same wherever it is shown. */
export function leftOf(feedback: Feedback): Left {
  const left = known.get(feedback) ?? new Left(feedback)
  known.set(feedback, left)
  return left
}
