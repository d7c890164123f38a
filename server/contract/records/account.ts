import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Id } from './fields.ts'

export const User = Type.Object({ id: Id, name: Type.String({ examples: ['Owner'] }) })
export type User = Static<typeof User>

export const Theme = Type.Enum(['system', 'light', 'dark'], { examples: ['system'] })
export const TrashDays = Type.Union([Type.Integer({ minimum: 1, maximum: limits.trashDays }), Type.Null()], {
  description: 'After how many days documents leave the trash for good; null: not by themselves.',
  examples: [30],
})
export const Settings = Type.Object({
  name: Type.String({ examples: ['Owner'] }),
  theme: Theme,
  trash_days: TrashDays,
})
export type Settings = Static<typeof Settings>
