/** Everything that covers the page, the topmost last. All of it has one entry of the history. */
const layers: (() => void)[] = []
let hasEntry = false
/** Whether that entry is being left by our own doing, which takes a moment. */
let leaving = false
/** What waits for that. */
let afterwards: (() => void)[] = []

/**
 * While something covers the page, Back closes it instead of leaving the page. Answers what is to be called once it is
 * closed, however that came about.
 */
export function closeOnBack(close: () => void): () => void {
  layers.push(close)
  if (!leaving) enter()
  return () => {
    const at = layers.indexOf(close)
    if (at >= 0) layers.splice(at, 1)
    // Something else may be opened in its place at once, and then has the entry.
    setTimeout(settle)
  }
}

/**
 * Goes on to another page of the same app: in place of the entry of what covers this one, where it has one, so that
 * Back comes to the page itself and not to a covered one.
 */
export function goOn(go: (how: { inPlace: boolean }) => void): void {
  if (leaving) return void afterwards.push(() => goOn(go))
  const inPlace = hasEntry
  hasEntry = false
  go({ inPlace })
}

/** Comes to the entry that there should be. */
function settle(): void {
  if (leaving) return
  if (layers.length > 0) enter()
  else if (hasEntry) {
    hasEntry = false
    leaving = true
    history.back()
  } else history.scrollRestoration = 'auto'
}

function enter(): void {
  if (hasEntry) return
  // Leaving the entry isn't to bring back how far the page was scrolled before.
  history.scrollRestoration = 'manual'
  history.pushState(null, '')
  hasEntry = true
}

/**
 * Listens for Back until the returned function is called. What only closes something is told to no listener that comes
 * after this one: for them nothing has changed.
 */
export function watchBack(): () => void {
  const follow = (event: PopStateEvent) => {
    if (leaving || hasEntry) event.stopImmediatePropagation()
    if (leaving) {
      leaving = false
      const waiting = afterwards
      afterwards = []
      for (const go of waiting) go()
    } else if (hasEntry) {
      hasEntry = false
      layers.at(-1)?.()
    }
    setTimeout(settle)
  }
  addEventListener('popstate', follow)
  return () => removeEventListener('popstate', follow)
}
