// What the desktop's main process and its server process say to each other.
import type { GalleyConfig } from '../server/index.ts'

/** What the person asked for; the server's process knows the rest. */
export type ServerOptions = Partial<Pick<GalleyConfig, 'dataFolder' | 'port' | 'sharePort'>>

export type ToServer = { type: 'start'; options: ServerOptions } | { type: 'sign-in' } | { type: 'close' }

export type FromServer =
  { type: 'ready'; url: string } | { type: 'failed'; message: string } | { type: 'sign-in'; url: string }
