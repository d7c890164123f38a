import type { GalleyEvent } from '../contract/events.ts'
import type { Store } from '../store/store.ts'

/** So many are told at one time; between two times others are answered. */
const toldAtOnce = 500

interface FeedOptions {
  store: Pick<Store, 'events'>
  /** Told everything that has happened, in order and once, in batches. */
  tell: (events: readonly GalleyEvent[]) => void
  /** How often it is looked for what other processes did, while somebody wants to know, in ms. */
  every?: number
}

/** What somebody waits for. */
interface WantedEvent {
  /** Who waits: a key of an account, or those who come by one link. Each may only so often at one time. */
  waiter: string
  isWanted: (event: GalleyEvent) => boolean
}
interface EventWait extends WantedEvent {
  end: (hasCome: boolean) => void
}

export type Feed = ReturnType<typeof createFeed>

/**
 * All that has happened, for whoever is here to hear it: what this process commits is told with its commit, and what
 * others do on the same database (the command line, beside a server) when it is seen, in the order of the numbers.
 */
export function createFeed({ store, tell, every = 250 }: FeedOptions) {
  let last = store.events.newest()
  let rest: NodeJS.Immediate | undefined
  let looking: NodeJS.Timeout | undefined
  let listeners = 0
  let isClosed = false
  const waiting = new Set<EventWait>()
  const followers = new Set<(events: readonly GalleyEvent[]) => void>()

  function deliver(events: readonly GalleyEvent[]) {
    last = events.at(-1)!.seq
    for (const { isWanted, end } of waiting) if (events.some(isWanted)) end(true)
    tell(events)
    for (const hear of followers) hear(events)
  }
  /** Tells what nobody here has been told yet. */
  function catchUp() {
    if (rest || isClosed) return
    let events: readonly GalleyEvent[]
    try {
      events = store.events.after(last, toldAtOnce)
    } catch {
      // What was committed stays so; it is told with the next look, or the next event, that finds it readable.
      return
    }
    if (events.length > 0) deliver(events)
    if (events.length < toldAtOnce) return
    rest = setImmediate(() => {
      rest = undefined
      catchUp()
    })
  }

  /** Looks for what other processes do until the returned function is called. */
  function listen(): () => void {
    if (listeners++ === 0) looking = setInterval(catchUp, every).unref()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (--listeners === 0) clearInterval(looking)
    }
  }

  /** Tells all that happens from now on, until the returned function is called. */
  function follow(hear: (events: readonly GalleyEvent[]) => void): () => void {
    const stopListening = listen()
    followers.add(hear)
    return () => {
      followers.delete(hear)
      stopListening()
    }
  }

  return {
    /** Tells what was just committed here. */
    publish(events: readonly GalleyEvent[]) {
      // Another process may have been quicker: what it did comes first.
      if (!rest && events[0]?.seq === last + 1) deliver(events)
      else catchUp()
    },
    listen,
    follow,
    /** Whether Galley stops: nobody is told anything any more. */
    closed: () => isClosed,
    /** The number of the last event that was told. */
    last: () => last,
    /** How many wait for an event, of one kind of waiter or in all. */
    waiting: (isCounted?: (waiter: string) => boolean) =>
      isCounted ? [...waiting].filter(({ waiter }) => isCounted(waiter)).length : waiting.size,
    /**
     * Waits until there is such an event; false if `ms` have passed before, whoever waits has left, or Galley stops.
     */
    async next(wanted: WantedEvent, ms: number, left?: AbortSignal): Promise<boolean> {
      if (isClosed || left?.aborted === true) return false
      const stopListening = listen()
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const giveUp = () => resolve(false)
      const one: EventWait = { ...wanted, end: resolve }
      const timer = setTimeout(giveUp, ms)
      waiting.add(one)
      left?.addEventListener('abort', giveUp)
      try {
        return await promise
      } finally {
        left?.removeEventListener('abort', giveUp)
        waiting.delete(one)
        clearTimeout(timer)
        stopListening()
      }
    },
    /** Nobody waits any more, and nobody looks for what others do. What requests that still run do is told. */
    close() {
      isClosed = true
      clearImmediate(rest)
      clearInterval(looking)
      for (const { end } of waiting) end(false)
      followers.clear()
    },
  }
}
