import type { ApiErrorCode } from '../contract/client-of.ts'

/** What a command’s exit code says, in one place for the commands, the man page and whoever reads it. */
export const exitCodes = {
  done: { code: 0, meaning: 'Done.' },
  failed: { code: 1, meaning: 'It could not be done; standard error says why in one line.' },
  usage: { code: 2, meaning: 'The command was called wrongly.' },
  notFound: { code: 3, meaning: 'There is no such document, comment, suggestion, link or revision.' },
  refused: { code: 4, meaning: 'The key is missing, is no good, or may not do this.' },
  conflict: {
    code: 5,
    meaning:
      'Something has changed meanwhile, was decided already, or the words aren’t there, or not just once. Nothing was overwritten.',
  },
  unreachable: { code: 6, meaning: 'Galley can’t be reached, or is busy. Trying again later may help.' },
} as const

/** The exit code for what the API refuses. */
export function exitCodeOf(code: ApiErrorCode): number {
  switch (code) {
    case 'VALIDATION_ERROR':
      return exitCodes.usage.code
    case 'NOT_FOUND':
      return exitCodes.notFound.code
    case 'UNAUTHORIZED':
    case 'FORBIDDEN':
      return exitCodes.refused.code
    case 'PRECONDITION_FAILED':
    case 'TEXT_NOT_FOUND':
    case 'CHANGED_SINCE':
    case 'ALREADY_RESOLVED':
    case 'ALREADY_DONE':
      return exitCodes.conflict.code
    case 'OFFLINE':
    case 'BAD_ANSWER':
    case 'BUSY':
    case 'RATE_LIMITED':
      return exitCodes.unreachable.code
    default:
      return exitCodes.failed.code
  }
}
