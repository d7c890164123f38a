import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Id, NullableTimestamp, Timestamp, farOff } from './fields.ts'

export const KeyAccess = Type.Enum(['full', 'read'], {
  description: '`read` keys may not change anything.',
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
  access: KeyAccess,
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
