import type { Snippet } from 'svelte'
import type { Comment } from '../../server/contract/records/comments.ts'
import type { FeedbackDrafts } from './feedback-drafts.ts'
import type { Thread } from './threads.ts'

/** What a card lets its reader do with a thread. Whatever answers a promise says itself how it went. */
export interface ThreadActions {
  drafts: Pick<FeedbackDrafts, 'find' | 'drop'>
  keepDraft: (slot: string, body: string) => void
  reply: (thread: Thread, body: string) => Promise<boolean>
  edit: (comment: Comment, body: string) => Promise<boolean>
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
  /** What waits in a thread of which only the beginning shows. */
  hidden: string | null
  /** What is under way to a comment or suggestion. */
  mutations: Snippet<[string]>
  /** What was written in answer to a thread. */
  replies: Snippet
}
