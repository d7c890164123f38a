/** What of the browser’s page matters here. */
export interface Page {
  document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>
}

/**
 * Calls `look` at once, every `every` milliseconds while the page is visible, and whenever it comes back into view.
 * A call never overlaps another; after failures the pauses grow up to a minute. Returns what stops it.
 */
export function watch(
  look: () => Promise<unknown>,
  { every = 5_000, page = globalThis }: { every?: number; page?: Page | undefined } = {},
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking = false
  let failures = 0
  let stopped = false

  const visible = () => page.document.visibilityState !== 'hidden'
  const plan = () => {
    clearTimeout(timer)
    if (stopped || !visible()) return
    timer = setTimeout(() => void run(), Math.min(every * 2 ** failures, Math.max(every, 60_000)))
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
      plan()
    }
  }
  const onReturn = () => {
    if (!visible()) return clearTimeout(timer)
    failures = 0
    void run()
  }

  page.document.addEventListener('visibilitychange', onReturn)
  page.window.addEventListener('focus', onReturn)
  page.window.addEventListener('online', onReturn)
  void run()
  return () => {
    stopped = true
    clearTimeout(timer)
    page.document.removeEventListener('visibilitychange', onReturn)
    page.window.removeEventListener('focus', onReturn)
    page.window.removeEventListener('online', onReturn)
  }
}
