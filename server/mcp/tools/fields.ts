import { Type } from 'typebox'

export const documentId = Type.String({ description: 'The document’s id, as “find” gives it.' })
