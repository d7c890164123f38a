import { type Static, Type } from 'typebox'
import { AuthorName } from './authors.ts'
import { Id } from './fields.ts'

export const Guest = Type.Object({
  id: Id,
  document_id: Id,
  name: Type.String({ description: 'How they are shown to everybody.', examples: ['Ada'] }),
  own_name: Type.String({ description: 'What they last called themselves.', examples: ['Guest'] }),
  hidden: Type.Boolean({
    description: 'Whether what they say is out of everybody’s sight but their own and the owner’s.',
    examples: [false],
  }),
  comments: Type.Integer({ minimum: 0, description: 'Comments and replies of theirs.', examples: [2] }),
  suggestions: Type.Integer({ minimum: 0, examples: [1] }),
})
/** Somebody without an account who came by a link, and has said or written something. */
export type Guest = Static<typeof Guest>

export const GuestFeedbackDeleted = Type.Object({
  deleted: Type.Literal(true),
  comments: Type.Integer({
    minimum: 0,
    description: 'So many comments and replies of theirs are gone, with what others answered to them.',
    examples: [2],
  }),
  suggestions: Type.Integer({ minimum: 0, description: 'Pending and decided ones.', examples: [1] }),
})
export type GuestFeedbackDeleted = Static<typeof GuestFeedbackDeleted>

/** Told with what a guest has said, to the document’s owner and their keys alone. */
export const byGuest = {
  guest_id: Type.Optional(
    Type.String({
      ...Id,
      description: 'Of a guest, for the document’s owner: who of the guests it is.',
    }),
  ),
  hidden: Type.Optional(
    Type.Literal(true, { description: 'Where the owner has hidden what its author says; else absent.' }),
  ),
}

export const GuestName = Type.Union([AuthorName, Type.Null()], {
  description: 'How they are shown to everybody; null as they call themselves.',
  examples: ['Ada'],
})
