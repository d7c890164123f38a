import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Anchor, Range } from './anchors.ts'
import { colouredAuthor, DoneBy } from './authors.ts'
import { byGuest } from './guests.ts'
import { ShownReaction } from './reactions.ts'
import { Id, NullableId, NullableTimestamp, Timestamp, nullable } from './fields.ts'

export const Comment = Type.Object({
  id: Id,
  document_id: Id,
  parent_id: NullableId('The thread’s first comment, for a reply; null for a first comment.', null),
  suggestion_id: NullableId(
    'The suggestion that it answers; null for what is said of the document. `parent_id`, `anchor` and `range` are null where this isn’t.',
    null,
  ),
  ...colouredAuthor,
  ...byGuest,
  body: Type.String({ minLength: 1, maxLength: limits.commentLength, examples: ['Is this the right word?'] }),
  anchor: nullable(Anchor),
  range: Type.Union([Range, Type.Null()], {
    description:
      'Where the words stand now; null for a comment on the whole document, or once the words are gone.',
  }),
  mine: Type.Boolean({
    description: 'Whether whoever asks wrote it, and so may edit it.',
    examples: [false],
  }),
  reactions: Type.Optional(
    Type.Array(ShownReaction, { description: 'What people think of it; absent where nobody has said so.' }),
  ),
  resolved_at: NullableTimestamp('When the thread was resolved; null while it is open.', null),
  resolved_by: DoneBy('Who resolved the thread; absent while it is open.'),
  created_at: Timestamp,
  updated_at: Timestamp,
  edited_at: NullableTimestamp('When its author last changed what it says; null if never.', null),
})
export type Comment = Static<typeof Comment>
