import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'

const anchorFields = {
  exact: Type.String({ minLength: 1, maxLength: limits.anchorLength, examples: ['goes out for review'] }),
  prefix: Type.String({ maxLength: limits.anchorContext, default: '', examples: ['is the draft that '] }),
  suffix: Type.String({ maxLength: limits.anchorContext, default: '', examples: ['.\n'] }),
  start: Type.Integer({ minimum: 0, examples: [40] }),
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      examples: [1],
      description:
        'The revision of the document that the anchor was made on. An older one is followed through every change since then to where its words stand today; they are kept even if they are gone meanwhile. Changes are remembered for about the last 1,000 revisions: with an older one, or one that is still to come, the answer is 400; without it, the words are looked for.',
    }),
  ),
}
const anchorText = {
  description:
    'A W3C text-quote selector on the markdown source: the words, what stands before and after them, and the offset (UTF-16 code units) they had when the anchor was made, on the `revision` it names.',
}
const anyWords = Type.String({
  maxLength: limits.anchorLength,
  description: 'Empty: a place between characters, which what stands around it and `start` name.',
  examples: ['goes out for review'],
})
export const Anchor = Type.Object({ ...anchorFields, exact: anyWords }, anchorText)
export type Anchor = Static<typeof Anchor>
/** As it may be sent: what stands around the words helps to find them again, but may be missing. */
export const NewAnchor = Type.Object(
  {
    ...anchorFields,
    prefix: Type.Optional(anchorFields.prefix),
    suffix: Type.Optional(anchorFields.suffix),
  },
  anchorText,
)
export type NewAnchor = Static<typeof NewAnchor>
/** The same for a suggestion, which may be to put something in where nothing stands. */
export const NewSuggestionAnchor = Type.Object({ ...NewAnchor.properties, exact: anyWords }, anchorText)

export const Range = Type.Object(
  { start: Type.Integer({ minimum: 0, examples: [40] }), end: Type.Integer({ minimum: 0, examples: [59] }) },
  { description: 'A stretch of the current markdown source, in UTF-16 code units; `end` is exclusive.' },
)
export type Range = Static<typeof Range>
