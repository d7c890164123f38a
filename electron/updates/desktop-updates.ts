import { app, dialog } from 'electron'
import type { WindowNotices } from '../notifications/notices.ts'
import type { Preferences } from '../preferences/preferences.ts'
import { findUpdateSource } from './update-source.ts'
import { createUpdates, type AppUpdates } from './updates.ts'

/** Updates of the app that runs. What fetches them is loaded only where there are any. */
export const createDesktopUpdates = (known: {
  notices: WindowNotices
  preferences: Preferences
  openOutside: (page: string) => void
  onChange: () => void
}): AppUpdates =>
  createUpdates({
    ...known,
    source: findUpdateSource({ isPackaged: app.isPackaged, resources: process.resourcesPath }),
    load: async (fetches) => (await import('./updater.ts')).createUpdater(fetches),
    tell: (message, detail) => dialog.showMessageBox({ type: 'info', message, detail }),
    quit: () => app.quit(),
    makeWay: () => app.releaseSingleInstanceLock(),
  })
