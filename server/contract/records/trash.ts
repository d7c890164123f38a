import { type Static, Type } from 'typebox'
import { SearchHit, documentFields } from './documents.ts'
import { Timestamp } from './fields.ts'

const deleted_at = Type.Unsafe<Static<typeof Timestamp>>({
  ...Timestamp,
  description: 'When it was put into the trash.',
})
export const TrashedHit = Type.Object({ ...SearchHit.properties, deleted_at })
export type TrashedHit = Static<typeof TrashedHit>
export const TrashedDocument = Type.Object({ ...documentFields, deleted_at })
export type TrashedDocument = Static<typeof TrashedDocument>
