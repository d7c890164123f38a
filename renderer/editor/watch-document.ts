const longestTick = 4_000

interface Watched {
  /** Asks for others’ changes; never rejects. */
  look: () => Promise<void>
  /** In ms, asked before each pause. */
  every: () => number
  /** The page is out of sight or about to go. */
  leave: () => void
  /** There is a connection again. */
  online: () => void
  /** Whether something would be lost with the page. */
  wouldLose: () => boolean
}

/** Looks for others’ changes every few seconds while the page is seen, and follows its coming and going. */
export function watchDocument({ look, every, leave, online, wouldLose }: Watched): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let lookedAt = performance.now()
  const isSeen = () => document.visibilityState === 'visible'
  const isDue = () => performance.now() - lookedAt >= every()
  async function turn(due: boolean) {
    clearTimeout(timer)
    if (isSeen() && due) {
      await look()
      lookedAt = performance.now()
    }
    // The pause may become shorter while it lasts.
    if (!stopped) timer = setTimeout(() => void turn(isDue()), Math.min(every(), longestTick))
  }
  void turn(false)
  const seen = () => {
    if (isSeen()) void turn(true)
    else leave()
  }
  const warn = (event: BeforeUnloadEvent) => {
    if (wouldLose()) event.preventDefault()
  }
  document.addEventListener('visibilitychange', seen)
  addEventListener('focus', seen)
  addEventListener('online', online)
  addEventListener('pagehide', leave)
  addEventListener('beforeunload', warn)
  return () => {
    stopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
    removeEventListener('focus', seen)
    removeEventListener('online', online)
    removeEventListener('pagehide', leave)
    removeEventListener('beforeunload', warn)
  }
}
