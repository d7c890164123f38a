import type { Snippet } from 'svelte'
import type { Comment } from '../../server/contract/records/comments.ts'
import type { FeedbackDrafts } from './feedback-drafts.ts'
import type { Reaction } from '../../server/contract/records/reactions.ts'
import type { People } from './people.ts'
import type { Thread } from './threads.ts'

/** What a card lets its reader do with what was said. Whatever answers a promise says itself how it went. */
export interface Answering {
  drafts: Pick<FeedbackDrafts, 'find' | 'drop'>
  keepDraft: (slot: string, body: string) => void
  /** Says that a draft is being written at; answers what says that it no longer is. */
  writing: (slot: string) => () => void
  /** Answers a thread or a suggestion. */
  reply: (to: { id: string }, body: string) => Promise<boolean>
  edit: (comment: Comment, body: string) => Promise<boolean>
  /** Sets a reaction of one’s own, or takes it back. */
  react: (comment: Comment, reaction: Reaction, set: boolean) => Promise<boolean>
  /** Who can be meant. */
  people: People
}

/** The same with a thread. */
export interface ThreadActions extends Answering {
  resolve: (thread: Thread, resolved: boolean) => unknown
}

/** How it is with what isn’t delivered yet, where something waits; its page draws it. */
export interface Waiting {
  /** A comment’s words as they will be. */
  bodyOf: (comment: Comment) => string | null
  /** Whether a comment will be deleted. */
  isLeaving: (id: string) => boolean
  /** Whether a thread will be resolved or opened again. */
  isResolving: (id: string) => boolean
  arrived: ReadonlySet<string>
  /** What waits where only the beginning shows. */
  hidden: string | null
  /** What is under way to a comment or suggestion. */
  mutations: Snippet<[string]>
  /** What was written in answer. */
  replies: Snippet
}

/** What can be done with a comment; `edit` begins to change its words. */
export type CommentTools = Snippet<[comment: Comment, edit: () => void]>

/** What a card needs for what was said on it to be changed and answered. */
export interface Conversation {
  actions: Answering
  /** Whether anything can be said at all. */
  writable?: boolean
  waiting?: Waiting
  /** Beside a comment’s author. */
  tools?: CommentTools
  /** Below what it says. */
  own?: CommentTools
  signature?: Snippet
}
