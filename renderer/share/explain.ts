import type { LinkAccess } from '../../server/domain/access.ts'
import { ApiError } from '../api/client-of.ts'

/** What a link allows since its owner has changed that. */
export const allowedNow: Record<LinkAccess, string> = {
  view: 'This link only lets you read now.',
  comment: 'This link lets you read and comment now.',
  suggest: 'This link lets you read, comment and suggest changes now.',
  edit: 'This link lets you edit the text now.',
}

/** What went wrong and what holds now, for a reader. `doing` completes “Couldn’t …”. */
export function explain(error: unknown, doing: string): string {
  const what = `Couldn’t ${doing}`
  if (!(error instanceof ApiError)) return `${what}. Your words are kept; please try again.`
  switch (error.code) {
    case 'OFFLINE':
    case 'BAD_ANSWER':
      return `${what}: there is no connection to this page’s server. Your words are kept here; try again when it is back.`
    case 'UNAUTHORIZED':
      return `${what}: this link no longer works. Your words are kept here, so that you can copy them.`
    case 'FORBIDDEN':
      return `${what}: this link doesn’t permit it. Your words are kept here.`
    case 'NOT_FOUND':
      return `${what}: it is no longer there. Somebody has deleted it.`
    case 'ALREADY_RESOLVED':
      return `${what}: it has already been accepted or rejected.`
    case 'CHANGED_SINCE':
      return `${what}: it was changed in another window since. Its card shows what it suggests now.`
    case 'PRECONDITION_FAILED':
      return `${what}: the text has changed in the meantime. Your words are kept; please try again.`
    case 'RATE_LIMITED': {
      const wait = error.retryAfter ?? 60
      return `${what}: too much at once. Your words are kept; try again in ${wait === 1 ? 'a second' : `${wait} seconds`}.`
    }
    case 'VALIDATION_ERROR':
    case 'PAYLOAD_TOO_LARGE':
      return `${what}: ${error.message}`
    default:
      return `${what}: something went wrong on the server. Your words are kept; please try again.`
  }
}
