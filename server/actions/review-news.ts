import { subjectOf, type EventKind, type EventPrincipal, type GalleyEvent } from '../contract/events.ts'
import type { EventRecord } from '../contract/records/events.ts'
import { documentAction } from './action.ts'
import { beginning } from './events.ts'
import { isGone, isHiddenFrom, isOfHidden } from './hidden-words.ts'
import type { Principal } from './principal.ts'
import { mayAlso, type DocumentTask } from './task.ts'
import { eventView } from './view.ts'
import { waitFor, type WaitingContext } from './waits.ts'

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
/** What ends the wait for everybody. */
const takesAway: EventKind[] = ['document.trashed', 'document.deleted']

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
  /** The number of an event; where there is none, all since the newest round that they may know of opened. */
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
 * whoever asks did by the same key, or under the same name by the same link, is no news, nor are words of guests whom the
 * document’s owner has hidden.
 */
export const followReview = documentAction({
  right: 'round.read',
  effect: 'reads',
  async run(
    task: DocumentTask<WaitingContext>,
    { since, wait = 0, left }: FollowedReview,
  ): Promise<ReviewNews> {
    const { store, document, principal } = task
    const kinds = saidTo(principal)
    const wanted = { ownerId: document.owner_id, kinds, documentId: document.id }
    const until = performance.now() + wait * 1_000
    const isWanted = ({ documentId, kind }: GalleyEvent) =>
      documentId === document.id && (kinds.includes(kind) || takesAway.includes(kind))
    let upTo = since === undefined ? sinceOpened(task) : beginning(store, String(since))
    for (let waits = wait > 0; ;) {
      const slice = store.events.slice(upTo, mostTold, wanted)
      upTo = slice.upTo
      const events = slice.events.filter(
        (event) => !isOwn(principal, event.principal) && !isToBeLeft(task, event),
      )
      if (events.length > 0 || (slice.isLast && !waits)) return { events: events.map(eventView), upTo }
      if (!slice.isLast) continue
      // From the look to the wait nothing else is done, so nothing is missed between them.
      waits = await waitFor(task, { isWanted, until, left })
    }
  },
})

/** What there is nothing to see of any more, or not for whoever asks, and what nobody is to answer. */
const isToBeLeft = ({ store, principal }: DocumentTask, event: GalleyEvent) =>
  isGone(store, event) ||
  (principal.kind === 'owner' ? isOfHidden(store, event) : isHiddenFrom(store, principal, event))

/** The number of what happened last before the newest round opened; of the newest event where there is no round. */
function sinceOpened({ store, document, principal }: DocumentTask): number {
  const [round] = store.rounds.list(document.number)
  // Who came by a link knows of none that has ended.
  if (!round || (principal.kind === 'link' && round.ended_at !== null)) return store.events.newest()
  return store.events.before('round.opened', round)
}

function isOwn(asking: Principal, { kind, id, name, keyKind }: EventPrincipal): boolean {
  if (asking.kind === 'link')
    return kind === 'guest' && keyKind === 'agent' && id === asking.link.id && name === asking.agent
  const { key } = asking.author
  // What a person does on the command line is news to an agent that they started.
  if (key.startsWith('cli:')) return kind === 'command' && keyKind === asking.author.keyKind
  return kind === 'key' && key === `key:${id}`
}
