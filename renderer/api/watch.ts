import { backOff } from '../../server/platform/back-off.ts'

/** What of the browser’s page matters here. */
export interface Page {
  document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>
}

export interface WatchOptions<News> {
  /** In ms; asked before each pause if it may change. */
  every?: number | (() => number)
  page?: Page | undefined
  /**
   * Has its listener called whenever there is something new to see, with what it is as far as that is known; returns
   * what stops that.
   */
  news?: ((listener: (news?: News) => void) => () => void) | undefined
  /** Whether news is looked at where nobody sees the page, too. */
  unseen?: boolean
  /** At least so many ms are between a look and the next that news are the reason for. */
  rest?: number
  /** Whether the first look comes only after a pause, since what there is was just seen. */
  later?: boolean
}

/** Who has heard more than this had better look for everything. */
const mostHeard = 100

/**
 * Calls `look` at once, every `every` milliseconds while the page is visible, and whenever it comes back into view.
 * There is always one look that began after the last news. It is told what was heard since the look before; null where
 * it is to look for whatever there may be. A call never overlaps another; after failures the pauses grow up to a minute.
 * Returns what stops it.
 */
export function watch<News = never>(
  look: (news: readonly News[] | null) => Promise<unknown>,
  {
    every = 5_000,
    page = globalThis,
    news,
    unseen = false,
    later = false,
    rest = 0,
  }: WatchOptions<News> = {},
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking = false
  let again = false
  let failures = 0
  let lookedAt = -Infinity
  let stopped = false
  /** What was heard and not yet looked at; null: something, whatever it is. */
  let heard: readonly News[] | null = []
  /** Whether the look that is under way looks only at what was heard. */
  let partly = false

  const visible = () => page.document.visibilityState !== 'hidden'
  const plan = () => {
    clearTimeout(timer)
    if (stopped || !visible()) return
    const pause = typeof every === 'number' ? every : every()
    const wait = backOff(failures, { first: pause, longest: Math.max(pause, 60_000) })
    timer = setTimeout(() => void run(null), wait)
  }
  const run = async (what: readonly News[] | null) => {
    clearTimeout(timer)
    if (stopped) return
    if (looking) {
      if (what === null && partly) onNews()
      return
    }
    looking = true
    lookedAt = performance.now()
    partly = what !== null
    heard = []
    try {
      await look(what)
      failures = 0
    } catch {
      // The one who looks shows the failure; here it only means to ask less often, and for what was missed.
      failures++
      heard = null
    } finally {
      looking = false
      if (again) lookAgain()
      else plan()
    }
  }
  const onReturn = () => {
    if (!visible()) return clearTimeout(timer)
    failures = 0
    void run(null)
  }

  const lookAgain = () => {
    again = looking
    if (looking || !(visible() || unseen)) return
    // What may be anything isn’t of the kind that comes in masses, and may be what somebody waits for.
    const wait = heard === null ? 0 : lookedAt + rest - performance.now()
    if (wait <= 0) return void run(heard)
    clearTimeout(timer)
    timer = setTimeout(() => void run(heard), wait)
  }
  const onNews = (news?: News) => {
    const isToldApart = news !== undefined && heard !== null && heard.length < mostHeard
    heard = isToldApart ? [...heard!, news] : null
    lookAgain()
  }
  const stopNews = news?.(onNews)

  page.document.addEventListener('visibilitychange', onReturn)
  page.window.addEventListener('focus', onReturn)
  page.window.addEventListener('online', onReturn)
  if (later) plan()
  else void run(null)
  return () => {
    stopped = true
    stopNews?.()
    clearTimeout(timer)
    page.document.removeEventListener('visibilitychange', onReturn)
    page.window.removeEventListener('focus', onReturn)
    page.window.removeEventListener('online', onReturn)
  }
}
