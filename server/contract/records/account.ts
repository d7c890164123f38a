import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Id } from './fields.ts'
import { ApiKey } from './keys.ts'

export const User = Type.Object({ id: Id, name: Type.String({ examples: ['Owner'] }) })
export type User = Static<typeof User>

/** Whoever asks: the user, and the API key, where that is how they come. */
export const Me = Type.Object({
  ...User.properties,
  owns_machine: Type.Boolean({
    description:
      'Whether Galley’s machine belongs to this user. What is the machine’s, such as the way in from elsewhere, is theirs to change, and webhooks to its own network are theirs alone.',
    examples: [true],
  }),
  author_kind: Type.Enum(['person', 'agent', 'script'], {
    description: 'What they write is marked as that.',
    examples: ['person'],
  }),
  key: Type.Union([ApiKey, Type.Null()], {
    description: 'The API key that made the request, with what it allows; null where none did.',
    examples: [null],
  }),
})
export type Me = Static<typeof Me>

export const Theme = Type.Enum(['system', 'light', 'dark'], { examples: ['system'] })
export const TrashDays = Type.Union([Type.Integer({ minimum: 1, maximum: limits.trashDays }), Type.Null()], {
  description: 'After how many days documents leave the trash for good; null: not by themselves.',
  examples: [30],
})
export const FilesGigabytes = Type.Union(
  [Type.Integer({ minimum: 1, maximum: limits.filesGigabytes }), Type.Null()],
  {
    description:
      'How many gigabytes all pictures and files may take together; null: as many as the disk has.',
    examples: [20],
  },
)
export const Settings = Type.Object({
  name: Type.String({ examples: ['Owner'] }),
  theme: Theme,
  trash_days: TrashDays,
  files_gigabytes: FilesGigabytes,
})
export type Settings = Static<typeof Settings>
