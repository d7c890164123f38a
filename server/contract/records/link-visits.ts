import { type Static, Type } from 'typebox'
import { Id, Timestamp } from './fields.ts'

export const LinkVisit = Type.Object({
  id: Id,
  link_id: Id,
  opened_at: Timestamp,
  preview: Type.Boolean({
    description:
      'Whether a program fetched the page, mostly to show a preview of the link, rather than a person.',
    examples: [false],
  }),
  device: Type.Union([Type.String({ examples: ['Safari on iPhone'] }), Type.Null()], {
    description: 'Roughly on what; of a preview, by whom. Null where that can’t be told.',
  }),
  name: Type.Union([Type.String({ examples: ['Ada'] }), Type.Null()], {
    description: 'What the visitor called themselves when they commented or suggested. Nothing proves it.',
  }),
})
export type LinkVisit = Static<typeof LinkVisit>
