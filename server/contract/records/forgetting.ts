import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Revision } from './documents.ts'
import { uuid } from './fields.ts'

const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

export const ForgetWanted = Type.Object(
  {
    before: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'All history before this revision, which becomes the first.',
      }),
    ),
    passage: Type.Optional(
      Type.String({
        maxLength: limits.forgottenMost,
        description: `Exactly these words, wherever they stood: at least ${limits.forgottenLeast} characters beside white space.`,
      }),
    ),
    remove: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether a passage that still stands in today’s text or title is taken out of it first.',
      }),
    ),
  },
  { examples: [{ passage: 'correct horse battery staple' }] },
)
export type ForgetWanted = Static<typeof ForgetWanted>

export const Forgotten = Type.Object({
  revision: { ...Revision, description: 'The document’s newest.' },
  revisions: Count('So many revisions are gone.', 0),
  found: Count('So often the passage had come into the text.', 1),
  quoted: Count(
    'So many comments, suggestions, versions’ titles and names, rounds, links’ labels and guests’ names held it, too.',
    2,
  ),
  alike: Type.Array(
    Type.Object({
      kind: Type.Enum(['comment', 'suggestion', 'version', 'round', 'link', 'file'], {
        examples: ['suggestion'],
      }),
      id: Type.String({ description: 'Of a version its `revision`; of all else its id.', examples: [uuid] }),
    }),
    {
      description:
        'What still holds a large part of the passage in a row, at least half of it or 64 characters: threads and suggestions in what they say, quote or suggest; versions in their text, title or name; rounds, links and those who came by them, and files in what they are called. They were left as they are: look through them. A reply is told by its thread, or the suggestion that it answers.',
      examples: [[]],
    },
  ),
})
export type Forgotten = Static<typeof Forgotten>

export const ForgettingState = Type.Object({
  clean: Type.Boolean({
    description:
      'Whether nothing that was forgotten is in Galley’s files any more, of any document. A backup from before that is restored brings it back into the history; what such a restore, or one after it, takes out of there is cleaned out of the files as well.',
    examples: [true],
  }),
  fails: Type.Boolean({
    description: 'Whether the files could not be made anew at the last attempt; it is tried again.',
    examples: [false],
  }),
})
export type ForgettingState = Static<typeof ForgettingState>

export const BackupsHolding = Type.Object({
  holding: Type.Array(Type.String({ examples: ['before-schema-23-2026-11-23T09-30-00-000Z.db'] }), {
    description:
      'The files in the data folder’s `backups` that hold it, or may, since they were copied while the files were not clean yet.',
    examples: [[]],
  }),
  unread: Type.Array(Type.String(), {
    description:
      'Those, and folders among them, that could not be read, and damaged databases that a restore has set aside.',
    examples: [[]],
  }),
  looked: Count('So many files were looked through.', 1),
})
export type BackupsHolding = Static<typeof BackupsHolding>
