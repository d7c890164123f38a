import { type Static, Type } from 'typebox'
import { Revision } from './documents.ts'
import { Heading, Limited } from './rendering.ts'

const place = {
  start: Type.Integer({ minimum: 0, description: 'In UTF-16 code units of the whole text.', examples: [0] }),
  end: Type.Integer({ minimum: 0, description: 'Exclusive.', examples: [13] }),
  first_line: Type.Integer({ minimum: 1, examples: [1] }),
  last_line: Type.Integer({ minimum: 1, examples: [2] }),
}

export const TextPart = Type.Object({
  revision: Revision,
  ...place,
  content: Type.String({ description: 'Exactly as it stands there.', examples: ['# On proofs\n\n'] }),
})
export type TextPart = Static<typeof TextPart>

export const Outline = Type.Object({
  revision: Revision,
  limited: Limited,
  headings: Type.Array(Type.Object({ ...Heading.properties, ...place }), {
    description:
      'In order, each with where it and what is under it stands: up to the next heading that isn’t below it.',
  }),
})
export type Outline = Static<typeof Outline>
