import { GalleyError } from '../contract/errors.ts'
import type { SuggestionRow } from '../store/suggestions.ts'

/** Which edit of a suggestion has been seen by whoever decides on it or changes it; whoever doesn’t say takes it as it is. */
export interface Seen {
  edited_at?: string | null
}

/** Whether its author has changed it since it was seen so. */
export const isChangedSince = ({ edited_at }: SuggestionRow, seen: string | null | undefined) =>
  seen !== undefined && edited_at !== (seen === null ? null : Date.parse(seen))

/** @throws GalleyError CHANGED_SINCE */
export function requireSeen(one: SuggestionRow, { edited_at }: Seen) {
  if (isChangedSince(one, edited_at))
    throw new GalleyError(
      'CHANGED_SINCE',
      'The suggestion has been changed by its author since it was seen. Nothing was done.',
    )
}
