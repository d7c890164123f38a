import { Type, type Static } from 'typebox'
import { Timestamp } from './records/fields.ts'

/** What keeps Galley from all that it should do, while it goes on with the rest. */
const problemKinds = [
  'share port taken',
  'storage full',
  'documents damaged',
  'unexpected error',
  'webhook off',
] as const
export type ProblemKind = (typeof problemKinds)[number]

export const Problem = Type.Object({
  kind: Type.Enum([...problemKinds], { examples: ['storage full'] }),
  message: Type.String({
    description: 'What is the matter and what to do, for a person.',
    examples: ['The disk that holds your documents is full. Free some room: Galley then goes on by itself.'],
  }),
  since: Timestamp,
})
export type Problem = Static<typeof Problem>
