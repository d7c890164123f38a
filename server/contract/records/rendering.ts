import { type Static, Type } from 'typebox'
import { Anchor, Range } from './anchors.ts'
import { Revision, Title } from './documents.ts'
import { Id, uuid } from './fields.ts'

/** A place on the rendered page: the block's source offset, and how many visible characters of it come before. */
export const RenderedPoint = Type.Object({
  block: Type.Integer({ minimum: 0, description: 'The block’s `data-b`.', examples: [13] }),
  char: Type.Integer({
    minimum: 0,
    description: 'Non-white-space characters of the block before this point.',
    examples: [21],
  }),
})
export type RenderedPoint = Static<typeof RenderedPoint>
/** Where the words of the other examples stand. */
export const examplePoints = { from: { block: 13, char: 21 }, to: { block: 13, char: 37 } }
export const Heading = Type.Object({
  level: Type.Integer({ minimum: 1, maximum: 6, examples: [2] }),
  text: Type.String({ examples: ['Sources'] }),
  id: Type.String({ examples: ['h-sources'] }),
})
export const RenderedDocument = Type.Object({
  revision: Revision,
  title: Title,
  html: Type.String({
    description: 'Sanitised HTML of the document’s body.',
    examples: ['<h1>On proofs</h1>'],
  }),
  headings: Type.Array(Heading),
  words: Type.Integer({ minimum: 0, examples: [11] }),
})
export type RenderedDocument = Static<typeof RenderedDocument>
export const Limited = Type.Union([Type.Enum(['time', 'depth', 'size']), Type.Null()], {
  description: 'The limit that the text ran into, if it did.',
  examples: [null],
})
export const RenderedText = Type.Object({
  html: Type.String({ description: 'Sanitised HTML.', examples: ['<p>Read <em>me</em>.</p>'] }),
  limited: Type.Union([Type.Enum(['time', 'depth', 'size']), Type.Null()], {
    description: 'Why the text could not be rendered; `html` is then the text as it was written.',
    examples: [null],
  }),
})
export type RenderedText = Static<typeof RenderedText>
export const Mark = Type.Object(
  {
    id: Id,
    kind: Type.Enum(['comment', 'suggestion'], { examples: ['comment'] }),
    from: RenderedPoint,
    to: RenderedPoint,
  },
  {
    description: 'Where a comment’s or suggestion’s words show on the rendered page.',
    examples: [{ id: uuid, kind: 'comment', ...examplePoints }],
  },
)
export type Mark = Static<typeof Mark>
export const Located = Type.Object({ revision: Revision, anchor: Anchor, range: Range })
export type Located = Static<typeof Located>
