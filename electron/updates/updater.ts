import { autoUpdater, type AppUpdater } from 'electron-updater'

/** electron-updater, told to do no more than it is asked. */
export function createUpdater(fetches: boolean): AppUpdater {
  return restrain(autoUpdater, fetches)
}

/** `fetches` says whether what is found is fetched, and put in place when the app ends. */
export function restrain(updater: AppUpdater, fetches: boolean): AppUpdater {
  updater.autoDownload = fetches
  updater.autoInstallOnAppQuit = fetches
  updater.disableWebInstaller = true
  updater.allowPrerelease = false
  // What goes wrong is said once, by us.
  updater.logger = null
  // It would send a number by which an installation is known again.
  updater.requestHeaders = { 'x-user-staging-id': 'none' }
  return updater
}
