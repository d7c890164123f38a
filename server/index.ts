/** Galley's server as a library; the desktop app, the command line and the tests call it alike. */
export { createGalley, type Galley, type GalleyConfig } from './app.ts'
export { defaultDataFolder } from './data-folder.ts'
export { OpenError, type OpenReason } from './store/open-error.ts'
/** The name of the cookie that holds a session's secret. */
export { sessionCookie } from './http/caller.ts'
