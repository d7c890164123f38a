import { app } from 'electron'
import { findPage } from './open-request.ts'

const scheme = 'galley'

/** Has the system bring `galley:` links here. Only after the app is ready. */
export function claimLinks() {
  // Started from its source it would be Electron's program that they open. On Linux the package's desktop entry says it.
  if (!app.isPackaged || process.platform === 'linux') return
  if (!app.isDefaultProtocolClient(scheme)) app.setAsDefaultProtocolClient(scheme)
}

/** On macOS links come this way, the first of them before the app is ready; elsewhere they are arguments. */
export function hearLinks(open: (page: string) => void) {
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const page = findPage(url)
    if (page === undefined) console.warn('A link was passed over: it names no document.')
    else open(page)
  })
}
