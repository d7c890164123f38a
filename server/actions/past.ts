import { invalid } from '../contract/errors.ts'

/**
 * The milliseconds of a time that passed its schema; null where there is none.
 * @throws GalleyError VALIDATION_ERROR if it is still to come, or before 1970
 */
export function pastOf(field: string, text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const at = Date.parse(text)
  if (Number.isNaN(at) || at < 0) throw invalid(`“${field}” is not a time since 1970.`, field)
  if (at > now) throw invalid(`“${field}” is still to come.`, field)
  return at
}
