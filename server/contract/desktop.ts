import type { Settings } from './records.ts'

/** What the desktop's window gives its pages, as `window.galley`. In a browser there is none. */
export interface DesktopBridge {
  /** Calls the listener with each path of the app that is to be shown, until the returned function is called. */
  onOpen(listener: (path: string) => void): () => void
  /** Tells the window which theme the page has, so that its frame, menus and dialogs follow. */
  setTheme(theme: Settings['theme']): void
}
