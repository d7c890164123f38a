/**
 * What is said over a live connection, as JSON, one message in each frame. The server's say what has changed, never
 * what it says now: who may read it asks for it.
 */
export type LiveMessage =
  | (LiveNews & Told)
  /** Nothing but how far that is. */
  | ({ type: 'told' } & Told)
  /** To everybody who has an account here: what is the matter with this Galley has changed. */
  | { type: 'problems' }
  /** To the owner: everybody who has one of their documents open by a link now. */
  | { type: 'present'; people: PresentPerson[] }

/** What has happened. */
export type LiveNews =
  | LiveChange
  /** So much that it is not told one by one. */
  | { type: 'everything' }
  /** To the owner: sharing was stopped, or started again. */
  | { type: 'sharing' }

/** How far all has been told; whoever says so when they come back is told what they missed. */
interface Told {
  since?: string
}

export interface LiveChange {
  type: 'changed'
  /** Null in the owner's connection for a document that is gone. */
  document_id: string | null
  what: 'content' | 'comments' | 'suggestions' | 'links' | 'openings' | 'versions' | 'deleted' | 'permission'
  /** Of `content`: what the document has come to. */
  revision?: number
  /** Which comments or suggestions were made or changed, and which are gone; absent where they are many. */
  ids?: string[]
  gone?: string[]
}

export interface PresentPerson {
  document_id: string
  link_id: string
  link_label: string | null
  /** As they call themselves; null if they haven’t said. Nothing proves it. */
  name: string | null
  /** Whether nothing but the link says who it is. */
  guest: boolean
  since: string
}

/** A recipient may say how they want to be called; nothing else is understood. */
export interface LiveGreeting {
  name: string
}

/** Why the server ends a connection (RFC 6455, section 7.4): 4000 and more are ours. */
export const liveCodes = {
  /** The server stops. */
  goingAway: 1001,
  /** Too many or unreadable messages. */
  policy: 1008,
  /** The link, key or session ended. */
  unauthorized: 4401,
  /** The document is gone. */
  notFound: 4404,
  /** Others who came later needed the room; whoever comes again should leave it a minute. */
  replaced: 4429,
} as const

export const liveLimits = {
  messageBytes: 1024,
  messagesPerMinute: 30,
  /**
   * Connections at one time: of one visitor by one link; by one link; in all, from where on no link gets more; and in
   * all. Those who come by a link take the place of the oldest connection of whoever has the most.
   */
  perVisitor: 20,
  perLink: 100,
  forLinks: 900,
  inAll: 1_000,
} as const

/** Where the connections are: of one document, and of everything the owner has. */
export const liveUrls = { document: '/api/documents/:id/live', owner: '/api/live' } as const
