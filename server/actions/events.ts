import { setImmediate as letOthers } from 'node:timers/promises'
import { GalleyError, invalid } from '../contract/errors.ts'
import type { GalleyEvent } from '../contract/events.ts'
import { limits } from '../contract/limits.ts'
import type { EventRecord } from '../contract/records/events.ts'
import type { Store } from '../store/store.ts'
import { accountAction } from './action.ts'
import { chosenDocuments, isToldTo } from './principal.ts'
import { kindsOf } from './kinds-of-events.ts'
import type { AccountTask } from './task.ts'
import { eventView } from './view.ts'
import { waitFor, type WaitingContext } from './waits.ts'

export interface ListedEvents {
  /** A number, or `latest`. */
  since?: string | undefined
  /** What that came by, where it has another name. */
  sinceIn?: string | undefined
  kind?: string | undefined
  document?: string | undefined
  limit?: number | undefined
  /** Seconds. */
  wait?: number | undefined
  /** Ends the wait of whoever has left. */
  left?: AbortSignal | undefined
}

export interface EventPage {
  events: EventRecord[]
  /** Up to this number these are all that were asked for. */
  upTo: number
}

/** What has happened in an account since a number, and where nothing has and that is asked for, what happens next. */
export const listEvents = accountAction({
  right: 'event.list',
  effect: 'reads',
  check(_task, { since, sinceIn, kind }: ListedEvents) {
    kindsOf(kind?.split(','))
    numberOf(since, sinceIn)
  },
  async run(task: AccountTask<WaitingContext>, input: ListedEvents): Promise<EventPage> {
    const { store } = task
    const { kind, document: documentId, left } = input
    const ownerId = task.principal.user.id
    const kinds = kindsOf(kind?.split(','))
    const limit = Math.min(input.limit ?? limits.eventPage, limits.eventPageMax)
    const until = performance.now() + (input.wait ?? 0) * 1_000
    const isWanted = (event: GalleyEvent) =>
      event.ownerId === ownerId &&
      isToldTo(task.principal, event) &&
      (documentId === undefined || event.documentId === documentId) &&
      (kinds === undefined || kinds.includes(event.kind))

    let waits = (input.wait ?? 0) > 0
    let upTo = beginning(store, input.since, input.sinceIn)
    for (;;) {
      const among = chosenDocuments(task.principal) ?? undefined
      const slice = store.events.slice(upTo, limit, { ownerId, kinds, documentId, among })
      upTo = slice.upTo
      if (slice.events.length > 0 || (slice.isLast && !waits))
        return { events: slice.events.map(eventView), upTo }
      if (!slice.isLast) await letOthers()
      // From the look to the wait nothing else is done, so nothing is missed between them.
      else waits = await waitFor(task, { isWanted, until, left })
    }
  },
})

/**
 * @throws GalleyError GONE if some of what came after is no longer kept; VALIDATION_ERROR if nothing has come up to there:
 * what such a number leads to was never told.
 */
export function beginning({ events }: Store, since: string | undefined, called = 'since'): number {
  const oldest = events.oldest()
  const number = numberOf(since, called)
  if (number === 'latest') return events.newest()
  if (number === undefined) return oldest - 1
  const newest = events.newest()
  if (number > newest)
    throw invalid(
      `“${called}” is ${number}, but the newest event is ${newest}. If an older copy of the database was put in place, read anew what you need to know, and go on from there.`,
      called,
    )
  if (number >= oldest - 1) return number
  throw new GalleyError('GONE', `The oldest event that is kept is ${oldest}.`, { data: oldest })
}

/** @throws GalleyError VALIDATION_ERROR */
function numberOf(since: string | undefined, called = 'since'): number | 'latest' | undefined {
  if (since === undefined || since === 'latest') return since
  if (/^\d{1,15}$/.test(since)) return Number(since)
  throw invalid(`“${called}” must be the number of an event, 0 for all that are kept, or “latest”.`, called)
}
