import { subjectOf, type EventKind, type EventPrincipal } from '../contract/events.ts'
import type { EventRecord } from '../contract/records/events.ts'
import { documentAction } from './action.ts'
import { beginning } from './events.ts'
import type { Principal } from './principal.ts'
import { mayAlso, type DocumentTask } from './task.ts'
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

/** What of it somebody may know. What reviewers do is only for the owner. */
const saidTo = (principal: Principal): EventKind[] =>
  principal.kind === 'owner'
    ? said
    : said.filter(
        (kind) =>
          kind !== 'round.finished' &&
          (subjectOf(kind) !== 'suggestions' || mayAlso(principal, 'suggestion.list')),
      )

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
 * whoever asks did by the same key, or under the same name by the same link, is no news.
 */
export const followReview = documentAction({
  right: 'round.read',
  effect: 'reads',
  async run(
    { store, context, document, principal }: DocumentTask<WaitingContext>,
    { since, wait = 0, left }: FollowedReview,
  ): Promise<ReviewNews> {
    const kinds = saidTo(principal)
    const wanted = { ownerId: document.owner_id, kinds, documentId: document.id }
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
          isWanted: (event) => event.documentId === document.id && kinds.includes(event.kind),
        },
        until - performance.now(),
        left,
      )
    }
  },
})

function isOwn(asking: Principal, { kind, id, name, keyKind }: EventPrincipal): boolean {
  if (asking.kind === 'link')
    return kind === 'guest' && keyKind === 'agent' && id === asking.link.id && name === asking.agent
  const { key } = asking.author
  return kind === 'key' ? key === `key:${id}` : kind === 'command' && key.startsWith('cli:')
}
