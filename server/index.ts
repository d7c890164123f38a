/** Galley's server as a library; the desktop app, the command line and the tests call it alike. */
export { createGalley, type Galley, type GalleyConfig } from './app.ts'
export { backUpTo, type BackedUp } from './backup.ts'
export { defaultDataFolder } from './data-folder.ts'
export { createLogger } from './logger.ts'
export { restoreFrom, type Restoration } from './restore.ts'
export type { MigrationProgress } from './store/migration-progress.ts'
export { OpenError, type OpenReason } from './store/open-error.ts'
