import type { GalleyEvent } from '../contract/events.ts'
import { limits } from '../contract/limits.ts'
import { backOff, type BackOff } from '../platform/back-off.ts'
import type { DeliveryRow } from '../store/webhook-deliveries.ts'
import type { WebhookRow } from '../store/webhooks.ts'
import { usualBackOff } from './retries.ts'
import { sendDelivery, type DeliverySending } from './send-delivery.ts'
import { takeEvents } from './take-events.ts'

interface DispatcherOptions extends Omit<DeliverySending, 'waits'> {
  /** Has what other processes do told here, until the returned function is called. */
  listen: () => () => void
  /** Told whose webhooks Galley has switched off, whenever it has looked. */
  onStopped: (ownerIds: readonly string[]) => void
  /** What can't be done now is tried again. */
  onFailure: (error: unknown) => void
  /** Between two attempts. */
  waits?: BackOff
  /** How long it is without looking, at most, in ms. */
  looksEvery?: number
}

export type Dispatcher = ReturnType<typeof createDispatcher>

/**
 * Timers must not be longer than they can be, and clocks are set. And of the first webhook, where another process has made
 * it, nobody tells: who has nothing to send doesn't listen.
 */
const longestLook = 60_000
/** Where the database can't be written, in ms. */
const afterTrouble: BackOff = { first: 1_000, longest: 60_000 }

/**
 * Sends webhooks what has happened. All it has to know stands in the database: a restart goes on where it was, and what was
 * under way is sent again. Each webhook has a few of its own under way, so that one whose receiver is slow or gone holds up
 * no other.
 */
export function createDispatcher(options: DispatcherOptions) {
  const { store, onFailure, looksEvery = longestLook } = options
  const sending: DeliverySending = { waits: usualBackOff, ...options }
  /** What is under way, by webhook and by delivery. */
  const flying = new Map<string, Map<string, AbortController>>()
  const running = new Set<Promise<void>>()
  let isClosed = false
  let isLooking = false
  let isWanted = false
  let failures = 0
  /** Outcomes that couldn't be written, one after the other. */
  let unwritten = 0
  let timer: NodeJS.Timeout | undefined
  let stopListening: (() => void) | undefined
  /** Whether there is any webhook at all, as far as is known. */
  let hasAny = true

  function soon() {
    isWanted = true
    if (isClosed || isLooking) return
    isLooking = true
    const work = look().finally(() => running.delete(work))
    running.add(work)
  }

  async function look() {
    clearTimeout(timer)
    let wait = looksEvery
    try {
      while (isWanted && !isClosed) {
        isWanted = false
        wait = await lookOnce()
      }
      failures = 0
    } catch (error) {
      // The database is held, the disk is full: what there is to send stays there.
      if (failures++ === 0) onFailure(error)
      wait = backOff(failures - 1, afterTrouble)
    }
    isLooking = false
    if (isClosed) return
    if (isWanted && failures === 0) soon()
    else timer = setTimeout(soon, wait).unref()
  }

  /** How long until there is something to do, in ms. */
  async function lookOnce(): Promise<number> {
    // So that all that is committed together is seen together.
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (isClosed) return looksEvery
    const webhooks = store.webhooks.listAll()
    hasAny = webhooks.length > 0
    listenWhile(webhooks.some(({ active }) => active))
    giveUpAllBut(webhooks)
    options.onStopped(webhooks.flatMap(({ user_id, off_reason }) => (off_reason === null ? [] : [user_id])))
    let next = Infinity
    const troubles: unknown[] = []
    for (const { id } of webhooks) {
      try {
        await takeEvents(store, { id }, () => isClosed)
      } catch (error) {
        troubles.push(error)
      }
      const webhook = store.webhooks.find(id)
      if (!webhook || isClosed) continue
      send(webhook)
      next = Math.min(next, store.deliveries.nextDue(webhook) ?? Infinity)
    }
    if (troubles.length > 0) throw troubles[0]
    return Math.min(looksEvery, Math.max(10, next - store.now()))
  }

  function listenWhile(isActive: boolean) {
    if (isActive) stopListening ??= options.listen()
    else {
      stopListening?.()
      stopListening = undefined
    }
  }

  function giveUpAllBut(webhooks: readonly WebhookRow[]) {
    for (const [id, own] of flying)
      if (!webhooks.some((one) => one.id === id)) for (const ending of own.values()) ending.abort()
  }

  /** Begins with as much of what is due as may be under way. */
  function send(webhook: WebhookRow) {
    const own = flying.get(webhook.id) ?? new Map<string, AbortController>()
    if (own.size >= limits.webhooksAtOnce) return
    // Those that are under way are still due.
    const due = store.deliveries.listDue(webhook, limits.webhooksAtOnce).filter(({ id }) => !own.has(id))
    for (const delivery of due.slice(0, limits.webhooksAtOnce - own.size)) {
      const ending = new AbortController()
      own.set(delivery.id, ending)
      flying.set(webhook.id, own)
      const work = attempt(webhook, delivery, ending.signal).finally(() => {
        own.delete(delivery.id)
        if (own.size === 0 && flying.get(webhook.id) === own) flying.delete(webhook.id)
        running.delete(work)
        soon()
      })
      running.add(work)
    }
  }

  async function attempt(webhook: WebhookRow, delivery: DeliveryRow, signal: AbortSignal): Promise<void> {
    try {
      await sendDelivery(sending, webhook, delivery, signal)
      unwritten = 0
    } catch (error) {
      if (unwritten++ === 0) onFailure(error)
      // It has arrived, perhaps, and will again; but not again and again.
      if (!isClosed) await pause(backOff(unwritten - 1, afterTrouble))
    }
  }

  const pauses = new Set<() => void>()
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timeout)
        pauses.delete(end)
        resolve()
      }
      const timeout = setTimeout(end, ms).unref()
      pauses.add(end)
    })
  }

  return {
    /** Looks at what there is to send. */
    soon,
    /** Something has happened. */
    hear(events: readonly GalleyEvent[]) {
      if (hasAny || events.some(({ kind }) => kind === 'webhook.created' || kind === 'backup.restored'))
        soon()
    },
    /** Nothing more is sent; what is under way is given up, and sent again by whoever starts next. */
    async close() {
      isClosed = true
      clearTimeout(timer)
      stopListening?.()
      for (const own of flying.values()) for (const ending of own.values()) ending.abort()
      for (const end of pauses) end()
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
