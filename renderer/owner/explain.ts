import { ApiError } from '../api/client-of.ts'

/** What went wrong, for the person it happened to. `doing` completes “Couldn’t …”. */
export function explain(error: unknown, doing: string): string {
  const what = `Couldn’t ${doing}`
  if (!(error instanceof ApiError)) return `${what}. Please try again.`
  switch (error.code) {
    case 'OFFLINE':
      return `${what}: Galley can’t be reached right now. Nothing is lost; try again in a moment.`
    case 'UNAUTHORIZED':
      return `${what}: you are signed out. Open Galley’s sign-in link again, then come back here.`
    case 'FORBIDDEN':
      return `${what}: only its author or the document’s owner may.`
    case 'NOT_FOUND':
      return `${what}: it is no longer there. Somebody may have deleted it.`
    case 'ALREADY_RESOLVED':
      return `${what}: it has already been accepted or rejected, perhaps in another window.`
    case 'TEXT_NOT_FOUND':
      return `${what}: the words it replaces aren’t in the text as they were. It can be once they are again.`
    case 'CHANGED_SINCE':
      return `${what}: it was changed since you saw it, perhaps in another window. Its card shows what it suggests now.`
    case 'PRECONDITION_FAILED':
      return `${what}: the document has changed in the meantime.`
    case 'RATE_LIMITED':
      return error.retryAfter === null
        ? `${what}: too many at once. Wait a little and try again.`
        : `${what}: too many at once. Try again in ${error.retryAfter} ${error.retryAfter === 1 ? 'second' : 'seconds'}.`
    case 'BUSY':
      return `${what}: another program is writing just now. Nothing was changed; try again in a moment.`
    case 'VALIDATION_ERROR':
    case 'PAYLOAD_TOO_LARGE':
    case 'UNSUPPORTED_TYPE':
    case 'STORAGE_FULL':
      return `${what}: ${error.message}`
    default:
      return `${what}: something went wrong on the server. Nothing was changed; please try again.`
  }
}

/** For a deletion’s `catch`: what is already gone needs no deleting. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) throw error
}
