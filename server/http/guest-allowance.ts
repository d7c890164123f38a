import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Store } from '../store/store.ts'
import type { Caller } from './caller.ts'

/**
 * Guests may leave much with a document, but not so much that its owner can no longer open the list of it.
 * @throws GalleyError PAYLOAD_TOO_LARGE
 */
export function requireRoomForGuest(store: Store, caller: Caller, document: number) {
  if (caller.kind === 'owner' || caller.account) return
  const open = [store.comments.openByGuests(document), store.suggestions.openByGuests(document)]
  const count = open.reduce((sum, kind) => sum + kind.count, 0)
  const bytes = open.reduce((sum, kind) => sum + kind.bytes, 0)
  if (count < limits.guestFeedback && bytes < limits.guestFeedbackBytes) return
  throw new GalleyError(
    'PAYLOAD_TOO_LARGE',
    'This document has as many open comments and suggestions as it can hold. Its owner has to resolve some first.',
  )
}
