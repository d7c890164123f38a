// What the desktop's main process and its server process say to each other, over a port that only they have.
import type { FeedbackNews, SharingNow } from '../../server/contract/events.ts'
import type { GalleyConfig, MigrationProgress, OpenReason } from '../../server/index.ts'
import type { SecretRequest, SecretOutcome } from '../secrets/secret-request.ts'

/** What the person asked for; the server's process knows the rest. */
export type ServerOptions = Partial<Pick<GalleyConfig, 'dataFolder' | 'port' | 'sharePort' | 'preferredPort'>>

/** Where the server listens. */
export interface ServerAddresses {
  url: string
  shareUrl: string
}

/** Why there is no server. `crashed` is for an end that it gave no reason for. */
export interface ServerFailure {
  reason: OpenReason | 'crashed'
  /** In the server's own words; for the details, since they name commands that a window's user may not know. */
  message: string
}

/** A session's secret, and the cookie that carries it. */
export interface SessionCookie {
  name: string
  value: string
}

export type ToServer =
  | { type: 'start'; options: ServerOptions }
  | { type: 'create-session'; id: number }
  | { type: 'secret'; id: number; outcome: SecretOutcome }
  | { type: 'set-sharing'; id: number; stopped: boolean }
  | { type: 'wake' }
  | { type: 'close' }

export type FromServer =
  | ({ type: 'ready' } & ServerAddresses)
  /** Before it is ready, where the database of an older Galley is brought up to date. */
  | { type: 'migrating'; progress: MigrationProgress }
  | { type: 'failed'; failure: ServerFailure }
  | { type: 'session'; id: number; cookie: SessionCookie }
  | { type: 'sharing-set'; id: number; done: boolean }
  | { type: 'sharing'; sharing: SharingNow }
  | { type: 'feedback'; feedback: FeedbackNews }
  | { type: 'secret'; id: number; request: SecretRequest }
