import { BrowserWindow, nativeTheme, shell } from 'electron'
import type { WebContents } from 'electron'
import { isOpenable, isWithin } from './origin.ts'

/** Keeps a page on the server it came from. Links to elsewhere open in the person's browser. */
function guardNavigation(contents: WebContents, origin: string) {
  contents.on('will-navigate', (event) => {
    if (!isWithin(origin, event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!isWithin(origin, event.url)) event.preventDefault()
  })
  contents.setWindowOpenHandler(({ url }) => {
    if (isOpenable(url)) void shell.openExternal(url)
    return { action: 'deny' }
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** A window for the owner's app. The page has nothing of Electron's and no more rights than in a browser. */
export function createWindow(origin: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1200,
    height: 800,
    minWidth: 360,
    minHeight: 400,
    show: false,
    title: 'Galley',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16171a' : '#ffffff',
    webPreferences: {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: true,
    },
  })
  guardNavigation(window.webContents, origin)
  window.once('ready-to-show', () => window.show())
  return window
}
