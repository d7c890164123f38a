import { explainRefusal } from '../actions/failure.ts'
import type { ErrorCode, GalleyError } from '../contract/errors.ts'

/** What an agent is to do after each refusal, where its message doesn't say. */
const next: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED:
    'The API key is missing, mistyped, expired or deleted. Ask the person who runs Galley for a new one.',
  FORBIDDEN:
    'Ask the person who runs Galley for a key that may, or do it another way: “suggest” or “comment”.',
  NOT_FOUND:
    'Call “find” for the documents there are, or “read” for what is in one, and use an id from there.',
  VALIDATION_ERROR: 'Nothing was changed. Correct the input and call again.',
  ALREADY_RESOLVED: 'Nothing is left to do there. Call “read” with “feedback” to see how it stands.',
  TEXT_NOT_FOUND: 'Call “read” to see the text as it is now.',
  PRECONDITION_FAILED: 'Nothing was changed. Call “read” to see the text as it is now, then decide again.',
  PAYLOAD_TOO_LARGE: 'Nothing was changed. Send less at a time.',
  RATE_LIMITED: 'Wait some seconds, then call again.',
  BUSY: 'Wait some seconds, then call again.',
}

/** The same where a link is what let them in. */
const nextByLink: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED:
    'By this link that isn’t done, or it opens the document no longer. Ask whoever sent it for another one.',
  FORBIDDEN: 'The tools that are listed are what this link allows.',
  NOT_FOUND:
    'Call “find” for the document that this link leads to, or “read” for what is in it, and use an id from there.',
}

/** A mistake in what an agent asked for, in words that say what to do next. Nothing was changed. */
export class Mistake extends Error {}

interface Told {
  onFailure: (error: unknown) => void
  only: string | undefined
}

/** What went wrong, as an agent is told. */
export function explained(error: unknown, { onFailure, only }: Told): string {
  if (error instanceof Mistake) return error.message
  const refusal = explainRefusal(error)
  if (!refusal) {
    onFailure(error)
    return 'INTERNAL_ERROR: Something went wrong in Galley. Look with “read” whether anything was changed before you call again.'
  }
  if (refusal.status >= 500 && refusal.code !== 'BUSY') onFailure(refusal)
  const advice = (only === undefined ? undefined : nextByLink[refusal.code]) ?? next[refusal.code] ?? ''
  return `${refusal.code}: ${sentence(refusal)} ${advice}`.trim()
}

const sentence = ({ message }: GalleyError) => (/[.!?]$/.test(message) ? message : `${message}.`)
