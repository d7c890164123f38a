import { Type, type Static } from 'typebox'
import { limits } from '../limits.ts'
import { farOff, Timestamp } from '../records/fields.ts'

// What the routes of more than one resource are made of.

export const Deleted = Type.Object({ deleted: Type.Literal(true, { examples: [true] }) })
export const ShareToken = Type.Optional(
  Type.String({
    description:
      'A share link’s token. When present it alone decides what may be done. It may stand in the header `Galley-Share-Token` instead.',
    examples: ['5d41402abc4b2a76b9719d911017c592'],
  }),
)
export const shareQuery = Type.Object({ share_token: ShareToken })
/** Of the lists of documents. */
export const documentListQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: limits.pageSize,
      description: `Above ${limits.pageSizeMax} it is taken as ${limits.pageSizeMax}.`,
      examples: [50],
    }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, examples: [0] })),
  q: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'Words to look for; the last may be a beginning. "Quoted words" must stand together.',
      examples: ['galley proof'],
    }),
  ),
})
export const ifMatch = {
  'If-Match':
    'The `ETag` of the revision the change was made on. If the document has moved on, 412 answers with the current document and nothing is changed. Without it the change always applies; what it overwrites stays in the versions.',
}

/** What becomes of several where one can't be made. */
export const BulkMode = Type.Enum(['all', 'each'], {
  default: 'all',
  description:
    '`all`: where one can’t be made, none is, and the error’s `field` says which one it was. `each`: those that can be are made, and the others say why not.',
  examples: ['all'],
})
export type BulkMode = Static<typeof BulkMode>
/** Why one of several wasn't made. */
export const BulkError = Type.Union(
  [
    Type.Object({
      code: Type.String({ examples: ['VALIDATION_ERROR'] }),
      message: Type.String({ examples: ['“anchor.revision” is 9, but the document has only come to 7.'] }),
      field: Type.Optional(Type.String({ examples: ['anchor.revision'] })),
    }),
    Type.Null(),
  ],
  { description: 'Why it wasn’t made; null where it was.', examples: [null] },
)
export type BulkError = Static<typeof BulkError>
export const bulkText = (what: string) =>
  `Up to ${limits.bulkFeedback} ${what}, in their order, each as it is made alone. In one transaction: all of them, or with \`mode\` \`each\` those that can be made. What isn’t of the right form at all is refused as a whole. For guests each counts as one of their ${limits.guestWritesPerMinute} changes a minute, so by a link no more than these are taken at once.`

/** How long to hold an answer that would be empty; what that means is for the route to say. */
export const waitPart = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.eventWaitSeconds,
      default: 0,
      description,
      examples: [1],
    }),
  )

/** Which part of a long list to answer; without any of these, all of it. */
export const listQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `How many at most. Above ${limits.listMax} it is taken as ${limits.listMax}; absent, there is no limit.`,
      examples: [100],
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: 'How many to pass over.', examples: [0] }),
  ),
  since: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'Only what is new since then: a time as in RFC 3339, that moment included, or a revision of the document, which stands for the moment it was made.',
      examples: ['2026-03-01T09:30:00.000Z'],
    }),
  ),
}
export type ListQuery = { [Name in keyof typeof listQuery]?: Static<(typeof listQuery)[Name]> }

export const expiry = (description: string) =>
  Type.Optional(
    Type.Union([Timestamp, Type.Null()], {
      description: `${description} A time as in RFC 3339: with seconds and with a time zone, which may be any.`,
      examples: [farOff],
    }),
  )

/**
 * Of a body whose fields take something away from what is allowed: whoever misspells one would be given more than they
 * asked for, so any other field is refused.
 */
export const closed = { additionalProperties: false } as const
