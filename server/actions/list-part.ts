import { invalid } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { ListQuery } from '../contract/routes/parts.ts'
import type { Store } from '../store/store.ts'
import { isWrittenTime } from './validation.ts'

/** Which part of a list is asked for; nulls ask for all of it. */
export interface ListPart {
  limit: number | null
  offset: number
  /** Milliseconds, or a revision. */
  since: { at: number } | { revision: number } | null
}

/**
 * The part that a query asks for.
 * @throws GalleyError VALIDATION_ERROR if `since` is neither a time nor a revision
 */
export const listPart = ({ limit, offset, since }: ListQuery): ListPart => ({
  limit: limit === undefined ? null : Math.min(limit, limits.listMax),
  offset: Math.min(offset ?? 0, Number.MAX_SAFE_INTEGER),
  since: since === undefined ? null : readSince(since),
})

/**
 * The same for what has times but no revisions of its own: a revision stands for the moment it was made.
 * @throws GalleyError VALIDATION_ERROR if nothing is known of that revision
 */
export function listedSince(
  store: Store,
  document: number,
  { limit, offset, since }: ListPart,
): { limit: number | null; offset: number; since: number | null } {
  if (since === null || 'at' in since) return { limit, offset, since: since?.at ?? null }
  const at = store.documents.timeOf(document, since.revision)
  if (at === undefined)
    throw invalid(
      `“since”: when the document had revision ${since.revision} isn’t known. Give a time instead.`,
      'since',
    )
  return { limit, offset, since: at }
}

function readSince(text: string): ListPart['since'] {
  if (/^[1-9]\d{0,14}$/.test(text)) return { revision: Number(text) }
  if (isWrittenTime(text)) return { at: Date.parse(text) }
  throw invalid(
    '“since” must be a revision, such as 7, or a time with seconds and a time zone, such as 2030-01-31T12:00:00Z (a “+” in it is written %2B).',
    'since',
  )
}
