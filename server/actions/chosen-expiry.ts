import { invalid } from '../contract/errors.ts'

/** The last time that ISO 8601 writes with four digits for the year. */
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The milliseconds of an `expires_at` that passed its schema; null where there is none.
 * @throws GalleyError VALIDATION_ERROR if it isn't in the future
 */
export function expiryOf(text: string | null | undefined, now: number, field = 'expires_at'): number | null {
  if (text === null || text === undefined) return null
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw invalid(`“${field}” is not a time.`, field)
  if (at > latest) throw invalid(`“${field}” is later than the year 9999.`, field)
  if (at <= now) throw invalid(`“${field}” must be in the future.`, field)
  return at
}
