import { explainError } from '../actions/explained-errors.ts'
import type { ErrorCode, GalleyError } from '../contract/errors.ts'
import { leastAccess, type Right } from '../domain/access.ts'

/** What an agent is to do after each refusal, where its message doesn't say. */
const next: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED:
    'The API key is missing, mistyped, expired or deleted. Ask the person who runs Galley for a new one.',
  NOT_FOUND:
    'Call “find” for the documents there are, or “read” for what is in one, and use an id from there.',
  VALIDATION_ERROR: 'Nothing was changed. Correct the input and call again.',
  ALREADY_RESOLVED: 'Nothing is left to do there. Call “read” with “feedback” to see how it stands.',
  TEXT_NOT_FOUND: 'Call “read” to see the text as it is now.',
  CHANGED_SINCE: 'Call “read” with “feedback” to see what it suggests now, then decide again.',
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

/**
 * What to do about a refusal to a key: which access it takes, and what is there instead.
 * @param may whether the key may do something else
 */
export function keyAdvice(right: Right, isChosen: boolean, may: (right: Right) => boolean): string {
  const least = leastAccess(right, isChosen)
  // Then it is one’s own or the owner’s, whatever the key.
  const takes = may(right)
    ? 'What others wrote takes a key with access “manage” or more.'
    : least === null
      ? 'It takes a key that isn’t for chosen documents only.'
      : `It takes a key with access “${least}” or more.`
  const instead = nearTo(right).find(([other]) => may(other))?.[1]
  return `${takes} Ask the person who runs Galley for one${instead === undefined ? '' : `, or ${instead}`}.`
}

/** What comes near to it, with the right that it takes. */
const nearTo = (right: Right): readonly (readonly [Right, string])[] =>
  right === 'document.edit'
    ? [
        ['suggestion.create', '“suggest” the change'],
        ['comment.create', 'say it in a “comment”'],
      ]
    : right === 'suggestion.create' || right === 'suggestion.resolve'
      ? [['comment.create', 'say it in a “comment”']]
      : []

/** A mistake in what an agent asked for, in words that say what to do next. Nothing was changed. */
export class Mistake extends Error {}

/** Where other things are than documents, and what is said about them. */
const listedBy: Readonly<Record<string, string>> = {
  Revision: 'Call “versions” for those there are.',
  Version: 'Call “versions” for those there are.',
  File: 'Call “files” for those there are.',
  'Share link': 'Call “share” for those there are.',
}
const placeOf = ({ code, message }: GalleyError) =>
  code === 'NOT_FOUND' ? listedBy[message.replace(/ not found$/, '')] : undefined

interface Told {
  onFailure: (error: unknown) => void
  only: string | undefined
}

/** What went wrong, as an agent is told. */
export function explained(error: unknown, { onFailure, only }: Told, reads = false): string {
  if (error instanceof Mistake) return error.message
  const refusal = explainError(error)
  if (!refusal) {
    onFailure(error)
    return 'INTERNAL_ERROR: Something went wrong in Galley. Look with “read” whether anything was changed before you call again.'
  }
  if (refusal.status >= 500 && refusal.code !== 'BUSY') onFailure(refusal)
  const advice =
    placeOf(refusal) ??
    (only === undefined ? undefined : nextByLink[refusal.code]) ??
    next[refusal.code] ??
    ''
  // What reads can’t have changed anything.
  const said = reads ? advice.replace('Nothing was changed. ', '') : advice
  return `${refusal.code}: ${sentence(refusal)} ${said}`.trim()
}

const sentence = ({ message }: GalleyError) => (/[.!?]$/.test(message) ? message : `${message}.`)
