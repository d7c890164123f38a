import { Type, type Static, type TSchema } from 'typebox'
import { Theme } from '../../server/contract/records/account.ts'
import { openRecordFile, type RecordFile } from './record-file.ts'

/** A window of the app's, by the place that is its own among several, and the page in it. */
const OpenWindow = Type.Object({
  slot: Type.Integer({ minimum: 1, maximum: 100 }),
  path: Type.String({ pattern: '^/[a-z0-9/-]{0,100}$' }),
})
export type OpenWindow = Static<typeof OpenWindow>

const Languages = Type.Array(Type.String({ pattern: '^[A-Za-z0-9-]{2,20}$' }), { maxItems: 100 })

/** What the desktop remembers of a person's choices on this machine, apart from their documents. */
const schemas = {
  /** The pages' theme, so that the first window has it before its page has. */
  theme: Theme,
  /** The windows that were open last, the one in front at the end. */
  windows: Type.Array(OpenWindow, { maxItems: 100 }),
  /** Whether spelling is checked, in which languages, and whose dictionaries somebody agreed to have fetched. */
  spelling: Type.Object({ on: Type.Boolean(), languages: Languages, agreed: Languages }),
  /** Whether Galley goes on sharing when its last window is closed, and whether it was told where it is then. */
  keepSharing: Type.Boolean(),
  toldStaying: Type.Boolean(),
  /** Whether the machine is kept awake while links work. */
  keepAwake: Type.Boolean(),
  /** Whether newer versions are looked for, and of which one it was said that it is out. */
  updates: Type.Boolean(),
  toldUpdate: Type.String({ maxLength: 100 }),
  /** How what others have to say is told; silently where nothing was chosen. */
  notifications: Type.Enum(['on', 'silent', 'off']),
  /** Whether somebody agreed to pages without a sandbox, where an AppImage can’t have one. */
  withoutSandbox: Type.Boolean(),
  /** Where the owner listener was last: what a browser's storage holds is found again on the same port only. */
  ownerPort: Type.Integer({ minimum: 1, maximum: 65535 }),
} satisfies Record<string, TSchema>

export type Preferences = RecordFile<typeof schemas>

export const openPreferences = (file: string): Preferences => openRecordFile(file, schemas)
