import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { KeyKind } from './authors.ts'
import { Id, NullableTimestamp, Timestamp, farOff } from './fields.ts'

export const keyAccessWords =
  'What it allows. `read` changes nothing; `comment` also comments and answers; `suggest` also suggests changes of the text; `edit` also changes texts and titles, adds files and makes documents; `manage` also does what else a document’s owner does: decide suggestions, share, delete, and sees what is the account’s: its keys’ names, its settings, how people elsewhere come in; `full` also changes that. An agent’s key, and one to comment, to suggest or to edit, is told from its user: it changes the words only of what it wrote itself, and its user not what it wrote.'
export const KeyAccess = Type.Enum(['full', 'read', 'comment', 'suggest', 'edit', 'manage'], {
  description: keyAccessWords,
  examples: ['full'],
})
export type KeyAccess = Static<typeof KeyAccess>
export const ApiKey = Type.Object({
  id: Id,
  name: Type.String({ examples: ['Nightly backup'] }),
  prefix: Type.String({
    description: `The first ${limits.keyPrefixLength} characters of the key.`,
    examples: ['gally_5d4140'],
  }),
  kind: KeyKind,
  access: KeyAccess,
  documents: Type.Union([Type.Array(Id), Type.Null()], {
    description:
      'The only documents that it knows of: all others are 404 for it, and in no list, search or event. Null: all.',
    examples: [null],
  }),
  created_at: Timestamp,
  last_used_at: NullableTimestamp('When the key was last used, to the minute.'),
  expires_at: NullableTimestamp('When the key stops working; null means never.', farOff),
})
export type ApiKey = Static<typeof ApiKey>
export const NewApiKey = Type.Object({
  ...ApiKey.properties,
  key: Type.String({
    pattern: '^gally_[0-9a-f]{32}$',
    description: 'The key itself, shown this once.',
    examples: ['gally_5d41402abc4b2a76b9719d911017c592'],
  }),
})
export type NewApiKey = Static<typeof NewApiKey>
