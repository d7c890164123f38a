import type { AuthorKind } from './records/authors.ts'
import type { PushedChange, Update, Updates } from './records/changes.ts'

/**
 * What is said over a live connection, as JSON, one message in each frame. The server's say what has changed, never
 * what it says now: who may read it asks for it. Only who follows the text itself is told its changes.
 */
export type LiveMessage =
  | LiveHeard
  | LiveText
  /** The answer to `ping`. */
  | { type: 'pong' }

/** What every connection hears. */
export type LiveHeard =
  | (LiveNews & Told)
  /** Nothing but how far that is. */
  | ({ type: 'told' } & Told)
  /** To everybody who has an account here: what is the matter with this Galley has changed. */
  | { type: 'problems' }
  /** To the owner: everybody who has one of their documents open by a link now. */
  | { type: 'present'; people: PresentPerson[] }

/** To who follows a text change by change. */
export type LiveText =
  /** They do, from here on, and this is what they had missed. */
  | ({
      type: 'following'
      /** How others know this client. */
      you: string
      /** Whether changes are taken here. If not, the first is sent by HTTP, whose answer may bring what is missing. */
      pushes: boolean
    } & Updates)
  | ({ type: 'updates'; updates: LiveUpdate[] } & Omit<Updates, 'updates'>)
  /** Nothing leads from what they have to the text as it is: they ask by HTTP, and may follow again from there. */
  | { type: 'apart' }
  /** A change was not made; by HTTP it is told why. */
  | { type: 'refused'; number: number }
  /** Everybody who follows it and is seen, they themselves among them. */
  | { type: 'people'; people: LivePerson[] }
  /** Where they are in the text of a revision; null for who is nowhere. */
  | { type: 'cursors'; revision: number; cursors: { person: string; at: CursorPlace | null }[] }

/**
 * A change with how others know the client that has made it; who reads its own name there has it already. Whoever isn’t
 * told its author isn’t told that of others’ changes either.
 */
export type LiveUpdate = Update & { by?: string | null }

/** Between characters of a text: where a selection began, and where it ends. */
export interface CursorPlace {
  anchor: number
  head: number
}

/** Somebody who follows a text. */
export interface LivePerson {
  id: string
  /** As they call themselves, which nothing proves of a guest; what a key is called; null if they haven’t said. */
  name: string | null
  kind: AuthorKind
  /** The owner in person: none of their keys is. */
  isOwner: boolean
  /** Of an agent, what it does: it has changed something just now, or has only read. */
  agent?: 'writing' | 'here'
  /** As in `author_colour` of what they write and say there. */
  colour: number
}

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
  what:
    | 'content'
    | 'comments'
    | 'suggestions'
    | 'rounds'
    | 'links'
    | 'openings'
    | 'versions'
    | 'deleted'
    | 'permission'
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
  /** As they call themselves; null if they haven’t said. Nothing proves it of a guest. */
  name: string | null
  kind: AuthorKind
  /** Whether nothing but the link says who it is. */
  guest: boolean
  since: string
  /** How those who follow the text know them, if they do. */
  follower: string | null
}

/** What a client may say; nothing else is understood. */
export type LiveSaying =
  /** How a recipient wants to be called. */
  | { name: string }
  /** They want to follow the text from a revision that they have. Who says it again begins anew. */
  | { type: 'follow'; since: number; client: string }
  | { type: 'unfollow' }
  /** Whether anything comes through, there and back: a page is told nothing of the pings of WebSockets. */
  | { type: 'ping' }
  /** A change, as by HTTP, of the client that follows. */
  | ({ type: 'push' } & Omit<PushedChange, 'client'>)
  /** Where they are in the text of a revision; null for nowhere. */
  | { type: 'cursor'; revision: number; at: CursorPlace | null }

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

/** Where the connections are: of one document, and of everything the owner has. */
export const liveUrls = { document: '/api/documents/:id/live', owner: '/api/live' } as const
