import { BrowserWindow, dialog } from 'electron'
import type { BrowserWindowConstructorOptions } from 'electron'
import path from 'node:path'
import { partition } from './partition.ts'
import { windowBackground } from './theme.ts'

interface WindowPage {
  /** The built preload's name, where its page has one. */
  preload?: string
  partition: string
}

/** A window whose page gets nothing of Node's and no more rights than in a browser. */
const createWindow = (page: WindowPage, options: BrowserWindowConstructorOptions): BrowserWindow =>
  new BrowserWindow({
    title: 'Galley',
    backgroundColor: windowBackground(),
    ...options,
    webPreferences: {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: true,
      partition: page.partition,
      ...(page.preload ? { preload: path.join(import.meta.dirname, `${page.preload}.cjs`) } : {}),
    },
  })

export interface AppWindowPlace {
  /** Its number among the windows that are open. Electron remembers where a window of this name was. */
  slot: number
  /** The window that it comes beside, where it has no place of its own yet. */
  beside?: BrowserWindow | undefined
}

/** So far right and down a window stands from the one that it was opened from. */
const step = 28

/** A window for the app's own pages. It is there at once, in the pages' colour, and loads when there is a server. */
export function createAppWindow({ slot, beside }: AppWindowPlace): BrowserWindow {
  const usual = { width: 1200, height: 800 }
  const other = beside && !beside.isMaximized() && !beside.isFullScreen() ? beside.getBounds() : undefined
  const window = createWindow(
    { preload: 'preload', partition },
    {
      ...(other ? { ...other, x: other.x + step, y: other.y + step } : usual),
      minWidth: 360,
      minHeight: 400,
      name: `galley-${slot}`,
      windowStatePersistence: true,
    },
  )
  // A page objects only to losing words that neither the server nor its own storage has.
  window.webContents.on('will-prevent-unload', (event) => {
    const chosen = dialog.showMessageBoxSync(window, {
      type: 'warning',
      message: 'Your last words are not saved yet',
      detail: 'Galley could not keep them, neither among your documents nor in this window.',
      buttons: ['Stay', 'Close anyway'],
      defaultId: 0,
      cancelId: 0,
    })
    if (chosen === 1) event.preventDefault()
  })
  return window
}

/** A window that nobody sees, for a page that is only printed. */
export const createPrintWindow = (): BrowserWindow => createWindow({ partition }, { show: false })

/** A small window for the page that says why Galley can't start. */
export function createFailureWindow(): BrowserWindow {
  const window = createWindow(
    { preload: 'failure-preload', partition: 'failure' },
    { width: 560, height: 480, minWidth: 360, minHeight: 320, maximizable: false, show: false },
  )
  window.once('ready-to-show', () => window.show())
  return window
}
