import type { WebContents } from 'electron'

export interface NavigationRules {
  /** Whether a page at this address is the app's own. */
  isOwn: (url: string) => boolean
  /** Shows a page of the app's own in a further window. */
  openInside: (url: string) => void
  /** Hands a link to the system, if it may be handed out. */
  openOutside: (url: string) => void
}

/** Keeps pages where they came from, whatever their content tries. Links to elsewhere open in the person's browser. */
export function guardNavigation(contents: WebContents, { isOwn, openInside, openOutside }: NavigationRules) {
  contents.on('will-navigate', (event) => {
    if (isOwn(event.url)) return
    event.preventDefault()
    openOutside(event.url)
  })
  contents.on('will-redirect', (event) => {
    if (!isOwn(event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    // The main frame has its own event. Here nothing is opened outside: what a frame holds may be anyone's words.
    if (!event.isMainFrame && !isOwn(event.url)) event.preventDefault()
  })
  contents.setWindowOpenHandler(({ url }) => {
    if (isOwn(url)) openInside(url)
    else openOutside(url)
    return { action: 'deny' }
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
}
