import type { KeyKind } from './records/authors.ts'

/**
 * Whatever can happen, by what it happens to. What stands before the dot is a group, by which one can ask for all of it.
 */
export const eventKinds = [
  'document.created',
  'document.changed',
  'document.renamed',
  'document.trashed',
  'document.restored',
  'document.deleted',
  'version.restored',
  'version.named',
  'version.forgotten',
  'comment.created',
  'comment.changed',
  'comment.resolved',
  'comment.reopened',
  'comment.reacted',
  'comment.unreacted',
  'comment.deleted',
  'suggestion.created',
  'suggestion.changed',
  'suggestion.accepted',
  'suggestion.rejected',
  'suggestion.reopened',
  'suggestion.withdrawn',
  'guest.changed',
  'round.opened',
  'round.changed',
  'round.ended',
  'round.reopened',
  'round.finished',
  'round.resumed',
  'file.added',
  'file.deleted',
  'link.created',
  'link.changed',
  'link.revoked',
  'link.restored',
  'link.visited',
  'key.created',
  'key.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.stopped',
  'sharing.stopped',
  'sharing.started',
  'backup.restored',
] as const
export type EventKind = (typeof eventKinds)[number]

/** What an event is about, as far as a page asks for it separately. */
export type EventSubject =
  | 'content'
  | 'comments'
  | 'suggestions'
  | 'feedback'
  | 'rounds'
  | 'links'
  | 'openings'
  | 'versions'
  | 'deleted'
  | 'keys'
  | 'sharing'
  | 'everything'

const groups = {
  document: 'content',
  version: 'content',
  comment: 'comments',
  suggestion: 'suggestions',
  guest: 'feedback',
  round: 'rounds',
  file: 'content',
  link: 'links',
  key: 'keys',
  webhook: 'keys',
  sharing: 'sharing',
  backup: 'everything',
} as const

export function subjectOf(kind: EventKind): EventSubject {
  if (kind === 'document.trashed' || kind === 'document.deleted') return 'deleted'
  // What reviewers do is only for the owner to know.
  if (kind === 'link.visited' || kind === 'round.finished' || kind === 'round.resumed') return 'openings'
  if (kind === 'version.named') return 'versions'
  // Quotes, versions and the changes that lead to the text may all be others now.
  if (kind === 'version.forgotten') return 'everything'
  return groups[groupOf(kind)]
}
const endings = new Set<EventSubject>(['links', 'deleted', 'sharing', 'keys', 'everything'])
/** Whether somebody may have been let in by what is no credential any more. */
export const mayEndCredentials = ({ kind }: Pick<GalleyEvent, 'kind'>) => endings.has(subjectOf(kind))

export const groupOf = (kind: EventKind) => kind.slice(0, kind.indexOf('.')) as keyof typeof groups

/** Who brought something about. */
export interface EventPrincipal {
  /**
   * The account's own user, in the app or a browser; one of its API keys; the command line; another user of this
   * Galley, by a link; somebody who came by a link and has no account; Galley itself, where nobody asked.
   */
  kind: 'owner' | 'key' | 'command' | 'user' | 'guest' | 'galley'
  /** As they were called then; guests as they called themselves, if they did. */
  name: string | null
  /** Of the user, the key or the link. */
  id: string | null
  /** Of a key: whether an agent has it or a script. Of a guest or a command: `agent` for one that came by a link, or was started here without a key. */
  keyKind?: KeyKind
}

/** What has happened. It names things; whoever may see them reads them. None of their text is in it. */
export interface GalleyEvent {
  /** Grows with each event, and is never used again. */
  seq: number
  at: number
  kind: EventKind
  /** Whose account it happened in. */
  ownerId: string
  /** Null where it is about no document. */
  documentId: string | null
  /** What the document had come to. */
  revision: number | null
  principal: EventPrincipal
  /** The comment, suggestion, guest, round, link, key or webhook; null where it is the document, or nothing of its own. */
  subjectId: string | null
  /** Of a comment that answers a suggestion, that suggestion. */
  suggestionId: string | null
  /** Of words that went by it: the hidden guests because of whom others hadn’t seen them. Nobody is shown these. */
  hiddenAuthors?: readonly string[]
}

/** What somebody else had to say on one of the documents of the machine's own user. None of its words are in it. */
export interface FeedbackNews {
  documentId: string
  title: string
  kind: 'comment' | 'reply' | 'suggestion' | 'done'
  /** What is shown for it: the first comment of its thread, the suggestion, or, of who is done, the document. */
  shownAs: 'comment' | 'suggestion' | 'document'
  id: string
  author: string
}

/** What is shared now. */
export interface SharingNow {
  /** So many links work, of all documents. */
  links: number
  /** Whether the machine's own user has stopped sharing. */
  stopped: boolean
}
