// The desktop shell: one window on the owner's app, with the server in a process beside it.
import { app, dialog, session } from 'electron'
import type { BrowserWindow } from 'electron'
import path from 'node:path'
import { readOptions } from './options.ts'
import { isWithin } from './origin.ts'
import { startServer, type ServerHost } from './server-host.ts'
import { createWindow } from './window.ts'

const options = readOptions(process.argv)
// Beside the documents, not among them: another data folder is another Galley, with its own windows and cookies.
app.setPath(
  'userData',
  path.join(options.dataFolder ?? path.join(app.getPath('appData'), 'Galley'), 'desktop'),
)

let server: ServerHost | undefined
let window: BrowserWindow | undefined

async function showWindow() {
  if (!server) return
  if (window) {
    if (window.isMinimized()) window.restore()
    window.focus()
    return
  }
  window = createWindow(new URL(server.url).origin)
  window.on('closed', () => (window = undefined))
  await window.loadURL(await server.signInUrl())
}

/** Nothing a page asks for is granted but writing to the clipboard, which copying a link needs. */
function denyPermissions(origin: string) {
  const allowed = (permission: string, url: string) =>
    permission === 'clipboard-sanitized-write' && isWithin(origin, url)
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide, details) =>
    decide(allowed(permission, details.requestingUrl)),
  )
  session.defaultSession.setPermissionCheckHandler((_contents, permission, url) => allowed(permission, url))
}

function fail(title: string, message: string) {
  console.error(message)
  dialog.showErrorBox(title, message)
  app.exit(1)
}

async function start() {
  server = await startServer(options, () =>
    fail(
      'Galley has stopped',
      'The server ended unexpectedly. What it confirmed as saved is safe; please start again.',
    ),
  )
  denyPermissions(new URL(server.url).origin)
  await showWindow()
}

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', () => void showWindow())
  app.on('activate', () => void showWindow())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('before-quit', (event) => {
    if (!server) return
    event.preventDefault()
    const closing = server
    server = undefined
    void closing.close().finally(() => app.quit())
  })
  // Not awaited: Electron becomes ready only after this module has been evaluated.
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      fail('Galley could not start', error instanceof Error ? error.message : String(error))
    })
} else {
  app.quit()
}
