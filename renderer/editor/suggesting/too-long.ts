import { limits } from '../../../server/contract/limits.ts'
import { failureOf } from '../saver.svelte.ts'
import type { UnsentSuggestion } from './unsent-suggestions.ts'

/** More is suggested at once than a suggestion may be. */
export class TooLong extends Error {}

export const isTooLong = ({ original, suggested }: UnsentSuggestion) =>
  original.length > limits.anchorLength || suggested.length > limits.suggestionLength

/** Why a suggestion wasn’t sent, in words, and whether it is tried again. */
export function failureOfSuggestion(error: unknown): ReturnType<typeof failureOf> {
  if (!(error instanceof TooLong)) return failureOf(error)
  const most = limits.anchorLength.toLocaleString('en')
  const reason = `One of your suggestions is about more text than can be suggested at once (${most} characters)`
  return { cause: 'refused', reason, retries: false }
}
