import type { Anchor } from '../../server/contract/records/anchors.ts'
import { ApiError } from './client-of.ts'

type Revised = Anchor & { revision: number }

/**
 * Whether an anchor may have been refused for its revision: the server remembers only so many changes, and after a
 * restore from a backup there may be fewer of them than a page has seen.
 */
export const isForgotten = (error: unknown, anchor: Anchor | null | undefined): anchor is Revised =>
  error instanceof ApiError && error.code === 'VALIDATION_ERROR' && anchor?.revision !== undefined

/** The same words, to be looked for wherever they stand. */
export function withoutRevision({ revision: _, ...anchor }: Revised): Anchor {
  return anchor
}
