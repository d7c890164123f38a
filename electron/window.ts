import { BrowserWindow, dialog } from 'electron'
import type { WebPreferences } from 'electron'
import path from 'node:path'
import { partition } from './partition.ts'
import { windowBackground } from './theme.ts'

/** A page gets nothing of Node's and no more rights than in a browser. */
const confined = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  webviewTag: false,
} satisfies WebPreferences

const preload = (name: string) => path.join(import.meta.dirname, `${name}.cjs`)

/** A window for the app's own pages. It is there at once, in the pages' colour, and loads when there is a server. */
export function createAppWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 1200,
    height: 800,
    minWidth: 360,
    minHeight: 400,
    title: 'Galley',
    backgroundColor: windowBackground(),
    webPreferences: { ...confined, preload: preload('preload'), partition, spellcheck: true },
  })
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

/** A small window for the page that says why Galley can't start. */
export function createFailureWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 560,
    height: 460,
    minWidth: 360,
    minHeight: 320,
    title: 'Galley',
    backgroundColor: windowBackground(),
    fullscreenable: false,
    maximizable: false,
    show: false,
    webPreferences: { ...confined, preload: preload('failure-preload'), partition: 'failure' },
  })
  window.once('ready-to-show', () => window.show())
  return window
}
