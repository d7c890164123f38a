import { invalid } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'

/** Which part of a list of documents a request asks for. */
export function pageOf(query: { limit?: number; offset?: number }, url: string) {
  if (query.limit !== undefined || query.offset !== undefined) refuseOtherThanDigits(url)
  return {
    limit: Math.min(query.limit ?? limits.pageSize, limits.pageSizeMax),
    offset: Math.min(query.offset ?? 0, Number.MAX_SAFE_INTEGER),
  }
}

/** The validator reads "1e1" and "0x10" as numbers too; a page size says what it is in digits. */
function refuseOtherThanDigits(url: string) {
  const raw = new URL(url, 'http://galley').searchParams
  for (const name of ['limit', 'offset']) {
    if (!/^\d+$/.test(raw.get(name) ?? '0')) throw invalid(`“${name}” must be a whole number.`)
  }
}
