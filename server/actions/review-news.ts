import type { EventKind, EventPrincipal } from '../contract/events.ts'
import type { EventRecord } from '../contract/records/events.ts'
import { documentAction } from './action.ts'
import { beginning } from './events.ts'
import { accountOf, type Principal } from './principal.ts'
import type { DocumentTask } from './task.ts'
import { eventView } from './view.ts'
import { waiterOf, type WaitingContext } from './waits.ts'

/** What somebody who waits for a review is waiting for. */
const said: EventKind[] = [
  'comment.created',
  'comment.changed',
  'suggestion.created',
  'suggestion.changed',
  'suggestion.accepted',
  'suggestion.rejected',
  'round.finished',
  'round.ended',
]
const mostTold = 500

interface FollowedReview {
  /** The number of an event; from now on if there is none. */
  since?: number | undefined
  /** Seconds. */
  wait?: number | undefined
  /** Ends the wait of whoever has left. */
  left?: AbortSignal | undefined
}

export interface ReviewNews {
  events: EventRecord[]
  /** Up to this number these are all. */
  upTo: number
}

/**
 * What others have said and decided about a document since a number, and where they haven't, what they say next. What
 * whoever asks did by the same key is no news.
 */
export const followReview = documentAction({
  right: 'round.read',
  effect: 'reads',
  permit: ({ principal }) => void accountOf(principal),
  async run(
    { store, context, document, principal }: DocumentTask<WaitingContext>,
    { since, wait = 0, left }: FollowedReview,
  ): Promise<ReviewNews> {
    const wanted = { ownerId: document.owner_id, kinds: said, documentId: document.id }
    const until = performance.now() + wait * 1_000
    let upTo = beginning(store, since === undefined ? 'latest' : String(since))
    for (let waits = wait > 0; ;) {
      const slice = store.events.slice(upTo, mostTold, wanted)
      upTo = slice.upTo
      const events = slice.events.filter((event) => !isOwn(principal, event.principal))
      if (events.length > 0 || (slice.isLast && !waits)) return { events: events.map(eventView), upTo }
      if (!slice.isLast) continue
      // From the look to the wait nothing else is done, so nothing is missed between them.
      waits = await context.feed.next(
        {
          waiter: waiterOf(context.feed, principal),
          isWanted: (event) => event.documentId === document.id && said.includes(event.kind),
        },
        until - performance.now(),
        left,
      )
    }
  },
})

function isOwn(asking: Principal, { kind, id }: EventPrincipal): boolean {
  const { key } = accountOf(asking).author
  return kind === 'key' ? key === `key:${id}` : kind === 'command' && key.startsWith('cli:')
}
