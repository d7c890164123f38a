import type { Comment } from '../../../server/contract/records/comments.ts'
import { accessOf, type LinkAccess } from '../../../server/domain/access.ts'
import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { isForgotten, withoutRevision } from '../../api/anchor-revision.ts'
import { ApiError, isAnswer, type ClientOf } from '../../api/client-of.ts'
import type { ShareRoute } from '../share-routes.ts'
import type { Chosen } from '../text-pane.ts'
import { isMutation, send, type NewFeedback } from '../../feedback/message.ts'
import { isTooOld, refused, saysTheSame, type Entry, type Refusal } from './entry.ts'
import type { EntryStore } from './entries.ts'

/**
 * How a delivery ended. `away`: the server can’t be reached. `later`: it asks for some seconds. `dead`: the link no
 * longer opens anything.
 */
export type Ending = { kind: 'done' | 'away' | 'dead' } | { kind: 'later'; seconds: number }

export interface DeliveryRoute {
  token: string
  store: EntryStore
  api: Pick<ClientOf<ShareRoute>, 'call'>
  /**
   * The same words in the text as it is now, with its revision; null if they are gone. Where it is missing, what needs
   * it waits for somebody who has it.
   */
  find?: (place: Chosen) => Promise<Chosen | null>
  onDelivered?: (entry: Entry, record: Comment | Suggestion | null) => void
  now?: () => number
}

const faultsBeforeRefusal = 5
const done: Ending = { kind: 'done' }
const away: Ending = { kind: 'away' }

/**
 * Delivers what waits, in order, each exactly once: an entry says that it may have arrived before it is sent, it is
 * sent in the same words under the same key until it is answered, and the server does nothing twice under one key. What
 * is the same done twice needs no key, and may be changed on its way. One tab, or the worker, does so at a time; where
 * the browser has no locks the keys alone keep it at once.
 * What can’t be delivered is kept with the reason; what follows it is delivered all the same.
 */
export function deliver(route: DeliveryRoute): Promise<Ending> {
  const work = () => deliverAll(route)
  // Only pages that came over a secure connection have locks.
  const { locks } = globalThis.navigator ?? {}
  return locks ? locks.request(`galley-outbox ${route.token}`, work) : work()
}

async function deliverAll(route: DeliveryRoute): Promise<Ending> {
  const { store, token, now = Date.now } = route
  let reached = false
  for (;;) {
    const entry = (await store.list(token)).find(({ state }) => state === 'waiting')
    if (!entry) return done
    if (isTooOld(entry, now())) {
      await refuse(route, entry, { code: 'UNSURE', message: '' })
      continue
    }
    // Nothing is sent into the dark: where there is no answer to a question, nothing needs to be unsure.
    if (!reached) {
      const ending = await ask(route, entry.documentId)
      if (ending) return ending
      reached = true
    }
    const ending = (await locate(route, entry)) ?? (await sendEntry(route, entry.order))
    if (ending) return ending
  }
}

/** Whether the server is there and the link works: null if so. `learn` is told what the link permits. */
async function ask(
  { api }: DeliveryRoute,
  documentId: string,
  learn?: (permission: LinkAccess | undefined) => void,
): Promise<Ending | null> {
  try {
    const { permission, suggest_only } = await api.call('listMarks', { params: { id: documentId } })
    learn?.(permission && accessOf({ permission, suggest_only: suggest_only ?? false }))
    return null
  } catch (error) {
    return endingOf(error) ?? away
  }
}

/** What a failure says of all that waits; null where it is about one entry. */
function endingOf(error: unknown): Ending | null {
  if (!(error instanceof ApiError) || !isAnswer(error)) return away
  switch (error.code) {
    case 'RATE_LIMITED':
      return { kind: 'later', seconds: error.retryAfter ?? 60 }
    case 'BUSY':
      return { kind: 'later', seconds: error.retryAfter ?? 5 }
    case 'STORAGE_FULL':
    case 'DB_ERROR':
    case 'INTERNAL_ERROR':
      return { kind: 'later', seconds: 30 }
    case 'UNAUTHORIZED':
    case 'NOT_FOUND':
      return { kind: 'dead' }
    default:
      // FORBIDDEN, too: a machine that has just come back doesn’t answer to its public name yet.
      return null
  }
}

/** Finds out which words of the source an entry is about, where that isn’t known yet. */
async function locate(route: DeliveryRoute, entry: Entry): Promise<Ending | null> {
  if (entry.kind !== 'comment' || !entry.place || entry.body.anchor) return null
  const { api, find, store } = route
  let place: Chosen | null = entry.place
  // Words that are gone stay with the comment all the same.
  let anchor = { exact: place.words, prefix: '', suffix: '', start: 0 }
  for (let attempt = 0; place && attempt < 4; attempt++) {
    const { revision, from, to }: Chosen = place
    try {
      const body = { revision, from, to }
      anchor = (await api.call('locateSelection', { params: { id: entry.documentId }, body })).anchor
      break
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED') {
        const ending = endingOf(error)
        if (ending) return ending
        if ((error as ApiError).code === 'FORBIDDEN') return away
        break
      }
      if (!find) return away
      try {
        place = await find(place)
      } catch (failure) {
        return endingOf(failure) ?? away
      }
    }
  }
  await store.change(entry.order, (now) =>
    now.kind === 'comment' && now.unsureSince === null
      ? { ...now, body: { ...now.body, anchor } }
      : undefined,
  )
  return null
}

async function sendEntry(route: DeliveryRoute, order: number): Promise<Ending | null> {
  const { now = Date.now, onDelivered, store } = route
  let wasSure = true
  const entry = await store.change(order, (waiting) => {
    if (waiting.state !== 'waiting') return undefined
    wasSure = waiting.unsureSince === null
    return { ...waiting, unsureSince: waiting.unsureSince ?? now() }
  })
  if (!entry) return null
  /** An answer to this attempt says nothing about those before it. */
  const unsureSince = wasSure ? null : entry.unsureSince

  const deliverAs = async (record: Comment | Suggestion | null) => {
    const recordId = record?.id ?? (isMutation(entry) ? entry.target : null)
    const sent = await store.change(order, (sent) =>
      saysTheSame(sent, entry)
        ? { ...sent, state: 'delivered', recordId }
        : // Other words were put in its place on the way.
          { ...sent, unsureSince: null },
    )
    if (sent?.state !== 'waiting') onDelivered?.(entry, record)
    if (entry.kind === 'delete') await forgetRefused(route, entry.target)
    return null
  }
  try {
    const answer = await perform(route, entry)
    return answer ? await deliverAs(answer.record) : away
  } catch (error) {
    if (!(error instanceof ApiError) || !isAnswer(error)) return away
    if (error.code === 'ALREADY_DONE') return deliverAs(null)
    const isFault = error.code === 'INTERNAL_ERROR'
    const changed = await store.change(order, (sent) => ({
      ...sent,
      unsureSince,
      faults: sent.faults + (isFault ? 1 : 0),
    }))
    if (isFault && changed && changed.faults >= faultsBeforeRefusal) {
      await refuse(route, entry, { code: error.code, message: error.message })
      return null
    }
    // 401, 403 and 404 may be about the link or about the address instead of these words.
    let permission: LinkAccess | undefined
    const general = await ask(route, entry.documentId, (now) => (permission = now))
    if (general) return general
    const ending = endingOf(error)
    if (ending && ending.kind !== 'dead') return ending
    // It is gone already, perhaps by an attempt whose answer got lost.
    if (error.code === 'NOT_FOUND' && isRemoval(entry)) return deliverAs(null)
    // Nobody waits any more for a review whose round has ended.
    const isOver = error.code === 'ALREADY_RESOLVED' && entry.kind === 'review'
    if (isOver || (error.code === 'NOT_FOUND' && ['resolve', 'review', 'react'].includes(entry.kind))) {
      await store.change(order, () => null)
      onDelivered?.(entry, null)
      return null
    }
    if (!isMutation(entry) && isForgotten(error, entry.body.anchor)) {
      // What was written long ago on a text whose changes nobody remembers is looked for by its words.
      await store.change(order, (sent) => (isMutation(sent) ? undefined : withoutItsRevision(sent)))
      return null
    }
    const { code, message } = error
    await refuse(route, entry, { code, message, ...(permission ? { permission } : {}) })
    return null
  }
}

function withoutItsRevision<Sent extends Entry & NewFeedback>(sent: Sent): Sent {
  const { anchor } = sent.body
  if (anchor?.revision === undefined) return sent
  const { revision } = anchor
  return { ...sent, body: { ...sent.body, anchor: withoutRevision({ ...anchor, revision }) } }
}

const isRemoval = ({ kind }: Entry) => kind === 'delete' || kind === 'withdraw'

/** Sends it, and says what it is now; null where the answer is about something else. */
async function perform(
  { api }: DeliveryRoute,
  entry: Entry,
): Promise<{ record: Comment | Suggestion | null } | null> {
  const { documentId, key } = entry
  // By a reaction, or by being done, the server may meet somebody for the first time, and must know them again.
  const isNamed = !isMutation(entry) || entry.kind === 'react' || entry.kind === 'review'
  const record = await send(api, documentId, entry, isNamed ? { idempotencyKey: key } : {})
  const isOther =
    record && (record.document_id !== documentId || (isMutation(entry) && record.id !== entry.target))
  return isOther ? null : { record }
}

const refuse = ({ store }: DeliveryRoute, entry: Entry, refusal: Refusal) =>
  store.change(entry.order, (now) => (saysTheSame(now, entry) ? refused(now, refusal) : undefined))

/** What couldn’t be done to something that its author has deleted since. */
async function forgetRefused({ store, token }: DeliveryRoute, target: string): Promise<void> {
  for (const other of await store.list(token)) {
    if (!isMutation(other) || other.target !== target) continue
    await store.change(other.order, ({ state }) => (state === 'refused' ? null : undefined))
  }
}

/** The link no longer works: nothing of it can be delivered any more. The words stay. */
export async function refuseAll({ store, token }: Pick<DeliveryRoute, 'store' | 'token'>): Promise<void> {
  for (const entry of await store.list(token)) {
    if (entry.state !== 'waiting') continue
    await store.change(entry.order, (now) => refused(now, { code: 'UNAUTHORIZED', message: 'Unauthorized' }))
  }
}
