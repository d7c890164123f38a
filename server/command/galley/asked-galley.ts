import type { ClientOf } from '../../contract/client-of.ts'
import type { EventRecord } from '../../contract/records/events.ts'

/** The routes that commands ask for. */
export type AskedRoute =
  | 'listDocuments'
  | 'getDocument'
  | 'createDocument'
  | 'updateDocument'
  | 'exportDocument'
  | 'trashDocument'
  | 'listTrash'
  | 'restoreTrashed'
  | 'listVersions'
  | 'getRevision'
  | 'restoreRevision'
  | 'listShareLinks'
  | 'createShareLink'
  | 'revokeShareLink'
  | 'restoreShareLink'
  | 'listComments'
  | 'createComment'
  | 'updateComment'
  | 'deleteComment'
  | 'listSuggestions'
  | 'createSuggestion'
  | 'resolveSuggestions'
  | 'createReply'

export interface EventQuery {
  since?: string
  kind?: string
  document?: string
  limit?: number
  wait?: number
}

/**
 * What the commands about documents speak: the routes of the API. They are done here, on the data folder, by the very
 * actions that the routes are for, or asked of a Galley that runs; no command knows which.
 */
export interface AskedGalley extends Pick<ClientOf<AskedRoute>, 'call'> {
  /** Whether a Galley runs there, without which no link opens. */
  isRunning: () => boolean
  /** What has happened, and up to which number that is all. */
  events(query: EventQuery, left?: AbortSignal): Promise<{ events: EventRecord[]; upTo: number }>
}
