import { Type } from 'typebox'
import { Timestamp } from '../records.ts'

// What the routes of more than one resource are made of.

export const Deleted = Type.Object({ deleted: Type.Literal(true, { examples: [true] }) })
export const ShareToken = Type.Optional(
  Type.String({
    description: 'A share link’s token. When present it alone decides what the caller may do.',
    examples: ['5d41402abc4b2a76b9719d911017c592'],
  }),
)
export const shareQuery = Type.Object({ share_token: ShareToken })
export const ifMatch = {
  'If-Match':
    'The `ETag` of the revision the change was made on. If the document has moved on, 412 answers with the current document and nothing is changed. Without it the change always applies; what it overwrites stays in the versions.',
}

export const expiry = (description: string) =>
  Type.Optional(
    Type.Union([Timestamp, Type.Null()], {
      description: `${description} A time as in RFC 3339: with seconds and with a time zone, which may be any.`,
    }),
  )
