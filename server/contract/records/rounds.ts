import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { DoneBy } from './authors.ts'
import { Revision } from './documents.ts'
import { farOff, Id, nullable, NullableTimestamp, Timestamp } from './fields.ts'

export const RoundNote = nullable(
  Type.String({
    maxLength: limits.roundNoteLength,
    description: 'What the owner asks of those who review.',
    examples: ['Is the second part too long?'],
  }),
)

export const RoundName = nullable(
  Type.String({
    maxLength: limits.versionNameLength,
    description: 'What the revision is called that is to be reviewed.',
    examples: ['Second draft'],
  }),
)

const RoundLink = Type.Object({
  link_id: Id,
  label: nullable(Type.String({ examples: ['For the copy editor'] })),
  opened_at: NullableTimestamp('When it was last opened, while the round runs; null if it wasn’t.'),
  read_at: NullableTimestamp('When somebody last read the text to its end.'),
  finished: Type.Array(
    Type.Object({
      name: Type.String({ description: 'As they call themselves. Nothing proves it.', examples: ['Ada'] }),
      finished_at: Timestamp,
    }),
    { description: 'Who has said that they are done, in that order.' },
  ),
})

export const Round = Type.Object({
  id: Id,
  document_id: Id,
  revision: Revision,
  name: RoundName,
  note: RoundNote,
  due_at: NullableTimestamp('By when, if that was said. Nothing happens then.', farOff),
  created_at: Timestamp,
  asked_by: DoneBy('Who asked for it.'),
  ended_at: NullableTimestamp('Null while it runs.', null),
  links: Type.Optional(
    Type.Array(RoundLink, {
      description:
        'Each of the document’s share links by which somebody is done or could have been, the newest first; none that had expired before anybody was. Owners only: no link’s holder learns of others.',
    }),
  ),
  finished_at: Type.Optional(
    NullableTimestamp(
      'When whoever asks by a link said that they are done; null if they didn’t, or took it back.',
    ),
  ),
})
export type Round = Static<typeof Round>
