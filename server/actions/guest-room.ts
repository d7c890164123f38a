import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import { hasLongerLine, wouldMakeLongerLine } from '../domain/long-lines.ts'
import type { PiecedText, Readable } from '../domain/pieced-text.ts'
import type { Budget } from '../domain/budget.ts'
import { placeSuggestion, type SuggestedChange } from '../domain/suggestion.ts'
import type { Store } from '../store/store.ts'
import { isGuest, type Principal } from './principal.ts'

/** Seconds: room may be made at any moment. */
const lookAgain = 60

/**
 * Guests may change a text often, but not so much that its log fills the disk while nobody looks.
 * @throws GalleyError RATE_LIMITED
 */
export function requireRoomForChange(store: Store, principal: Principal, document: number) {
  if (!isGuest(principal) || store.guestVersions.left(document) < limits.guestVersions) return
  throw new GalleyError(
    'RATE_LIMITED',
    'Through its links this document has been changed so much that no more versions of it can be kept today. It can be changed again as soon as its owner has changed it.',
    { retryAfter: lookAgain },
  )
}

/**
 * Guests may not make a line so long that the editors of all others are slow with it. What the owner has made so long may
 * stay, and become shorter.
 * @param changes by which the one text becomes the other, where they are known
 * @throws GalleyError PAYLOAD_TOO_LARGE
 */
export function requireShortLines(
  principal: Principal,
  before: PiecedText,
  after: Readable,
  changes?: ChangeSet,
) {
  const most = limits.guestLineLength
  if (isGuest(principal) && hasLongerLine(before, after, most, changes)) throw lineTooLong()
}

/**
 * Neither may they suggest one, so that accepting what looks like any other suggestion makes none. One whose place isn’t
 * known is measured by its words alone.
 * @param work how much may be looked for its place
 * @throws GalleyError PAYLOAD_TOO_LARGE
 */
export function requireShortSuggestion(
  principal: Principal,
  content: string,
  suggestion: SuggestedChange,
  work: Budget,
) {
  if (!isGuest(principal)) return
  const { original_text: words, suggested_text: suggested } = suggestion
  const place = placeSuggestion(content, suggestion, work)
  const [text, range] = place ? [content, place] : [words, { start: 0, end: words.length }]
  if (wouldMakeLongerLine(text, range, suggested, limits.guestLineLength)) throw lineTooLong()
}

const lineTooLong = () =>
  new GalleyError(
    'PAYLOAD_TOO_LARGE',
    `By a link no line may become longer than ${limits.guestLineLength.toLocaleString('en')} characters. Break it into shorter ones; nothing was changed.`,
  )

/**
 * Guests may leave much with a document, but not so much that its owner can no longer open the list of it.
 * @throws GalleyError PAYLOAD_TOO_LARGE
 */
export function requireRoomForGuest(store: Store, principal: Principal, document: number) {
  if (!isGuest(principal)) return
  const open = [store.comments.byGuests(document).open, store.suggestions.openByGuests(document)]
  const count = open.reduce((sum, kind) => sum + kind.count, 0)
  const bytes = open.reduce((sum, kind) => sum + kind.bytes, 0)
  if (count < limits.guestFeedback && bytes < limits.guestFeedbackBytes) return
  throw new GalleyError(
    'PAYLOAD_TOO_LARGE',
    'This document has as many open comments and suggestions as it can hold. Its owner has to resolve some first.',
  )
}

/**
 * Guests may resolve their own comments, and so make room, but not without end: what is resolved stays in the list.
 * @throws GalleyError PAYLOAD_TOO_LARGE
 */
export function requireRoomForComment(store: Store, principal: Principal, document: number) {
  requireRoomForGuest(store, principal, document)
  if (!isGuest(principal)) return
  const { count, bytes } = store.comments.byGuests(document).all
  if (count < limits.guestComments && bytes < limits.guestCommentBytes) return
  throw new GalleyError(
    'PAYLOAD_TOO_LARGE',
    'This document has as many comments as it can hold, the resolved ones among them. Its owner has to delete some first.',
  )
}
