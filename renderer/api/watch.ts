import { backOff } from '../../server/platform/back-off.ts'

/** What of the browser’s page matters here. */
export interface Page {
  document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>
}

export interface WatchOptions {
  /** In ms; asked before each pause if it may change. */
  every?: number | (() => number)
  page?: Page | undefined
  /** Has its listener called whenever there is something new to see; returns what stops that. */
  news?: ((listener: () => void) => () => void) | undefined
  /** Whether news is looked at where nobody sees the page, too. */
  unseen?: boolean
  /** Whether the first look comes only after a pause, since what there is was just seen. */
  later?: boolean
}

/**
 * Calls `look` at once, every `every` milliseconds while the page is visible, and whenever it comes back into view.
 * There is always one look that began after the last news. A call never overlaps another; after failures the pauses
 * grow up to a minute. Returns what stops it.
 */
export function watch(
  look: () => Promise<unknown>,
  { every = 5_000, page = globalThis, news, unseen = false, later = false }: WatchOptions = {},
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking = false
  let again = false
  let failures = 0
  let stopped = false

  const visible = () => page.document.visibilityState !== 'hidden'
  const plan = () => {
    clearTimeout(timer)
    if (stopped || !visible()) return
    const pause = typeof every === 'number' ? every : every()
    const wait = backOff(failures, { first: pause, longest: Math.max(pause, 60_000) })
    timer = setTimeout(() => void run(), wait)
  }
  const run = async () => {
    clearTimeout(timer)
    if (looking || stopped) return
    looking = true
    try {
      await look()
      failures = 0
    } catch {
      // The one who looks shows the failure; here it only means to ask less often.
      failures++
    } finally {
      looking = false
      if (again) onNews()
      else plan()
    }
  }
  const onReturn = () => {
    if (!visible()) return clearTimeout(timer)
    failures = 0
    void run()
  }

  const onNews = () => {
    again = looking
    if (visible() || unseen) void run()
  }
  const stopNews = news?.(onNews)

  page.document.addEventListener('visibilitychange', onReturn)
  page.window.addEventListener('focus', onReturn)
  page.window.addEventListener('online', onReturn)
  if (later) plan()
  else void run()
  return () => {
    stopped = true
    stopNews?.()
    clearTimeout(timer)
    page.document.removeEventListener('visibilitychange', onReturn)
    page.window.removeEventListener('focus', onReturn)
    page.window.removeEventListener('online', onReturn)
  }
}
