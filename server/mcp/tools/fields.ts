import { Type } from 'typebox'
import { isWrittenTime } from '../../actions/validation.ts'
import { Mistake } from '../refusal.ts'

export const documentId = Type.String({ description: 'The document’s id, as “find” gives it.' })

/** How a moment is said. */
export const moment =
  'a time, such as 2030-01-31T12:00:00Z, or a day, such as 2030-01-31, to whose end in UTC it is.'
/** @throws Mistake, by the name of the field */
export function momentOf(said: string, field: string): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(said.trim()) ? `${said.trim()}T23:59:59Z` : said
  if (isWrittenTime(at)) return at
  throw new Mistake(`“${field}” must be ${moment} Nothing was done.`)
}
