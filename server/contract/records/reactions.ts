import { type Static, Type } from 'typebox'
import { Id } from './fields.ts'

/** What one can think of a comment, in the order in which it is shown. */
export const reactionNames = ['agree', 'heart', 'laugh', 'celebrate', 'unsure'] as const

export const Reaction = Type.Enum([...reactionNames], { examples: ['agree'] })
export type Reaction = Static<typeof Reaction>

export const ShownReaction = Type.Object({
  reaction: Reaction,
  count: Type.Integer({ minimum: 1, description: 'How many people have it.', examples: [2] }),
  names: Type.Array(Type.String({ examples: ['Ada'] }), {
    description: 'As they call themselves, the first 20. Of guests nothing proves it.',
  }),
  mine: Type.Boolean({ description: 'Whether whoever asks is among them.', examples: [false] }),
  guests: Type.Optional(
    Type.Array(
      Type.Object({
        guest_id: Id,
        name: Type.String({ examples: ['Ada'] }),
        hidden: Type.Optional(Type.Literal(true)),
      }),
      { description: 'Which of the document’s guests are among them: told to its owner alone.' },
    ),
  ),
})
export type ShownReaction = Static<typeof ShownReaction>
