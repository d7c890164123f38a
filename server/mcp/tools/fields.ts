import { Type } from 'typebox'

export const documentId = Type.String({ description: 'The document’s id, as “find” gives it.' })

/** How a moment is said. */
export const moment =
  'a time, such as 2030-01-31T12:00:00Z, or a day, such as 2030-01-31, to whose end in UTC it is.'
export const momentOf = (said: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(said.trim()) ? `${said.trim()}T23:59:59Z` : said
