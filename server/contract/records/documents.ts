import { type Static, Type } from 'typebox'
import { bytes } from '../figures.ts'
import { limits } from '../limits.ts'
import { Id, Timestamp } from './fields.ts'
import { allowed } from './share-links.ts'

export const Title = Type.String({
  maxLength: limits.titleLength,
  description: `At most ${limits.titleLength} Unicode code points; kept exactly as sent.`,
  examples: ['On proofs'],
})
export const Content = Type.String({
  description: `Markdown, kept exactly as sent. At most ${bytes(limits.contentBytes)} in UTF-8.`,
  examples: ['# On proofs\n\nA galley is the draft that goes out for review.\n'],
})
export const Revision = Type.Integer({
  minimum: 1,
  description: 'Grows by one with each change of the document.',
  examples: [1],
})

export const DocumentSummary = Type.Object({
  id: Id,
  title: Title,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type DocumentSummary = Static<typeof DocumentSummary>

export const SearchHit = Type.Object({
  id: Id,
  title: Title,
  created_at: Timestamp,
  updated_at: Timestamp,
  snippet: Type.Optional(
    Type.String({
      description: 'With `q` only: the passage that matched, as plain text; “…” marks where it was cut.',
      examples: ['… the draft that goes out for review …'],
    }),
  ),
  excerpt: Type.Optional(
    Type.String({
      description: 'With `details` only: the first words of the text, as plain text without its headings.',
      examples: ['A galley is the draft that goes out for review.'],
    }),
  ),
  unseen_feedback: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'With `details` only: how many open comments, replies and pending suggestions of others the owner hasn’t seen.',
      examples: [2],
    }),
  ),
  unseen_reviews: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'With `details` only: how many are done with the round of review that runs, which the owner hasn’t seen.',
      examples: [1],
    }),
  ),
})
export type SearchHit = Static<typeof SearchHit>

export const documentFields = {
  id: Id,
  owner_id: Id,
  title: Title,
  content: Content,
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const Document = Type.Object({
  ...documentFields,
  ...allowed,
})
export type Document = Static<typeof Document>
