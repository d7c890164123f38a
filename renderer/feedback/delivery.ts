import type { Comment } from '../../server/contract/records/comments.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import type { Message } from './message.ts'

/** `sent`: it has arrived. `kept`: it waits under a key, and is delivered by itself. */
export type Posted =
  { kind: 'sent'; record: Comment | Suggestion | null } | { kind: 'kept'; entry: { key: string } }

/** How what is said gets to the server. */
export interface FeedbackDelivery {
  /** Rejects with the server’s refusal. `leaving`: the page is going away, and the call must outlive it. */
  post(message: Message, leaving?: boolean): Promise<Posted>
  /** The draft is gone of what was posted: answers what is to be said of how it is kept. */
  settle(posted: Posted): Promise<string | null>
  /** How long a removal is held back, so that it can be undone; 0 where it is asked for twice instead. */
  readonly undoMs: number
  /** Whether it is news that something has arrived. */
  readonly tellsArrival: boolean
}
