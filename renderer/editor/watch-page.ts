interface PageWatcher {
  /** The page is out of sight or about to go. */
  leave: () => void
  /** There is a connection again, or none any more. */
  online: () => void
  offline: () => void
  /** Whether something would be lost with the page. */
  wouldLose: () => boolean
}

/** Follows the page’s coming and going. */
export function watchPage({ leave, online, offline, wouldLose }: PageWatcher): () => void {
  const seen = () => {
    if (document.visibilityState === 'hidden') leave()
  }
  const warn = (event: BeforeUnloadEvent) => {
    if (wouldLose()) event.preventDefault()
  }
  document.addEventListener('visibilitychange', seen)
  addEventListener('online', online)
  addEventListener('offline', offline)
  addEventListener('pagehide', leave)
  addEventListener('beforeunload', warn)
  return () => {
    document.removeEventListener('visibilitychange', seen)
    removeEventListener('online', online)
    removeEventListener('offline', offline)
    removeEventListener('pagehide', leave)
    removeEventListener('beforeunload', warn)
  }
}
