import { type Static, Type } from 'typebox'
import { eventKinds } from '../events.ts'
import { AuthorKind } from './authors.ts'
import { Revision } from './documents.ts'
import { NullableId, Timestamp, nullable } from './fields.ts'

export const EventRecord = Type.Object({
  seq: Type.Integer({
    minimum: 1,
    description: 'Grows with each event, not always by one, and is never used again.',
    examples: [1201],
  }),
  at: Timestamp,
  kind: Type.Enum([...eventKinds], { examples: ['comment.created'] }),
  document_id: NullableId('The document it happened to; null where it is about none.'),
  revision: Type.Union([Revision, Type.Null()], {
    description: 'What the document had come to; of a version that was named, its own.',
    examples: [1],
  }),
  principal: Type.Object(
    {
      kind: Type.Enum(['owner', 'key', 'command', 'user', 'guest', 'galley'], {
        description:
          '`owner`: you, in the app or a browser; `key`: one of your API keys; `command`: the command line; `user`: another user of this Galley, by a link; `guest`: somebody who came by a link and has no account; `galley`: Galley itself, as when the trash’s days are over.',
        examples: ['guest'],
      }),
      name: nullable(
        Type.String({
          description: 'As they were called then. What guests call themselves, nothing proves.',
          examples: ['Ada'],
        }),
      ),
      id: NullableId('Of the user, the key, or the link that a guest came by.'),
      author_kind: nullable(
        Type.Enum([...AuthorKind.enum], {
          description:
            'Whether a person did it, a guest, an agent or a script; null where Galley itself did.',
          examples: ['guest'],
        }),
      ),
    },
    { description: 'Who brought it about.' },
  ),
  subject_id: NullableId(
    'The comment, suggestion, link, key or webhook; null where it is the document, or nothing that has an id.',
  ),
  suggestion_id: NullableId('Of a comment that answers a suggestion: which one. Else null.', null),
})
export type EventRecord = Static<typeof EventRecord>
