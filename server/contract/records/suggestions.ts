import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Anchor, Range } from './anchors.ts'
import { colouredAuthor, DoneBy } from './authors.ts'
import { byGuest } from './guests.ts'
import { Comment } from './comments.ts'
import { Id, NullableTimestamp, Timestamp, nullable } from './fields.ts'

export const SuggestionStatus = Type.Enum(['pending', 'accepted', 'rejected'], { examples: ['pending'] })
export type SuggestionStatus = Static<typeof SuggestionStatus>

export const Beside = Type.Object({
  id: Id,
  side: Type.Enum(['before', 'behind'], { examples: ['behind'] }),
})
export type Beside = Static<typeof Beside>

export const Suggestion = Type.Object({
  id: Id,
  document_id: Id,
  ...colouredAuthor,
  ...byGuest,
  original_text: Type.String({
    description: 'Empty where something is to be put in at the place that `anchor` names.',
    examples: ['goes out for review'],
  }),
  suggested_text: Type.String({ examples: ['is sent out for review'] }),
  accepted_text: nullable(
    Type.String({
      description:
        'What was put in instead, where the document’s owner changed the words in accepting it; else null.',
      examples: ['is sent out'],
    }),
  ),
  anchor: nullable(Anchor),
  range: Type.Union([Range, Type.Null()], {
    description: 'Where accepting it would apply now; null: it can’t be applied to the current text.',
  }),
  around: Type.Optional(
    Type.Object(
      {
        before: Type.String({ examples: ['is the first draft that '] }),
        behind: Type.String({ examples: ['.\n'] }),
      },
      {
        description:
          'What stands before and behind `range` in the current text, where that isn’t what `anchor` says any more.',
      },
    ),
  ),
  beside: Type.Optional(
    Type.Object(Beside.properties, {
      description:
        'Of what is to be put in and stood right beside the words of another suggestion when accepting that was taken back: which one, and on which side of its words this stands once both are accepted.',
    }),
  ),
  note: nullable(Type.String({ maxLength: limits.noteLength, examples: ['Reads better aloud.'] })),
  mine: Type.Boolean({
    description: 'Whether whoever asks made it, and so may withdraw it.',
    examples: [false],
  }),
  status: SuggestionStatus,
  replies: Type.Optional(
    Type.Array(Comment, { description: 'What it was answered, the oldest first: in a list with `replies`.' }),
  ),
  created_at: Timestamp,
  edited_at: NullableTimestamp(
    'When its author last changed its words or its place; null if never. Sent with an acceptance, it says what was accepted.',
    null,
  ),
  resolved_at: NullableTimestamp(
    'When it was accepted or rejected; null while it is pending, or again pending.',
    null,
  ),
  resolved_by: DoneBy('Who accepted or rejected it; absent while it is pending.'),
})
export type Suggestion = Static<typeof Suggestion>
