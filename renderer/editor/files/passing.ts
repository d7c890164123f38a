import { ApiError, isAnswer } from '../../api/client-of.ts'

/** About who asks, or when, and not about the file. */
const passing = ['BUSY', 'RATE_LIMITED', 'UNAUTHORIZED', 'NOT_FOUND']

/**
 * Whether what failed is worth being tried again by itself.
 * @param mayAdd as far as is known: a machine that has just come back refuses, for a moment, whoever asks by its public
 * name
 */
export const isPassing = (error: unknown, mayAdd = false): boolean =>
  error instanceof ApiError &&
  (!isAnswer(error) || passing.includes(error.code) || (mayAdd && error.code === 'FORBIDDEN'))
