// What the desktop's main process and its server process say to each other.
import type { GalleyConfig } from '../server/index.ts'

export type ToServer = { type: 'start'; config: GalleyConfig } | { type: 'sign-in' } | { type: 'close' }

export type FromServer =
  { type: 'ready'; url: string } | { type: 'failed'; message: string } | { type: 'sign-in'; url: string }
