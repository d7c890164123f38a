import { type Static, Type } from 'typebox'
import { coloursOfPeople } from '../colours.ts'
import { limits } from '../limits.ts'
import { NullableId } from './fields.ts'

export const AuthorName = Type.String({
  minLength: 1,
  maxLength: limits.authorNameLength,
  examples: ['Guest'],
  description:
    'How a guest wants to be named. Control characters and what turns the direction of other words are left out; “Guest” if nothing is left. Ignored when an account makes the request.',
})
/** What has an API key: a program that does what it was written to do, or one that decides by itself what to do. */
export const KeyKind = Type.Enum(['script', 'agent'], {
  description:
    '`agent`: the key of a program that decides by itself what to do, which is shown beside all that it writes; `script`: of any other.',
  examples: ['agent'],
})
export type KeyKind = Static<typeof KeyKind>

export const AuthorKind = Type.Enum(['person', 'guest', 'agent', 'script'], {
  description:
    '`person`: somebody with an account, in the app, a browser or on the command line; `guest`: somebody who came by a link and has none; `agent` and `script`: a program, with an API key of that kind; `agent` also one that came by a link, or that was started on this machine without a key.',
  examples: ['guest'],
})
export type AuthorKind = Static<typeof AuthorKind>

export const author = {
  author_id: NullableId('The user who wrote it; null for a guest.', null),
  author_name: Type.String({ examples: ['Guest'] }),
  key_name: Type.Union([Type.String(), Type.Null()], {
    description: 'The name of the API key it was made with; null where no program made it.',
    examples: [null],
  }),
  author_kind: AuthorKind,
}

/** Who made a record, and in which colour they are shown there. */
export const colouredAuthor = {
  ...author,
  author_colour: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: coloursOfPeople - 1,
      description:
        'Which of the colours for people its author has in this document: the same in all that they write and say there, for everybody. Where there are more people than colours, several have one. It says nothing else. Absent where it isn’t known any more who it was.',
      examples: [3],
    }),
  ),
}

const doer = {
  ...author,
  author_id: NullableId('The user who did it; null for a guest.', null),
  mine: Type.Boolean({
    description: 'Whether it was whoever asks, or a script of theirs.',
    examples: [false],
  }),
}
/** Who did something to a record, beside who made it. */
export const DoneBy = (description: string) =>
  Type.Optional(
    Type.Object(doer, { description: `${description} Absent where an older Galley didn’t note it.` }),
  )
export type DoneBy = NonNullable<Static<ReturnType<typeof DoneBy>>>
