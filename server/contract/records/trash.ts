import { type Static, Type } from 'typebox'
import { DoneBy } from './authors.ts'
import { SearchHit, documentFields } from './documents.ts'
import { Timestamp } from './fields.ts'

const deleted_at = Type.Unsafe<Static<typeof Timestamp>>({
  ...Timestamp,
  description: 'When it was put into the trash.',
})
const deleted_by = DoneBy('Who put it into the trash.')
export const TrashedHit = Type.Object({ ...SearchHit.properties, deleted_at, deleted_by })
export type TrashedHit = Static<typeof TrashedHit>
export const TrashedDocument = Type.Object({ ...documentFields, deleted_at, deleted_by })
export type TrashedDocument = Static<typeof TrashedDocument>
