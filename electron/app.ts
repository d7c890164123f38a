// The owner's app in a window, with the server in a process beside it.
import { app } from 'electron'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { defaultDataFolder } from '../server/data-folder.ts'
import { createDesktop } from './desktop.ts'
import { keepDiagnostics } from './diagnostics/diagnostics.ts'
import { claimLinks, hearLinks } from './start/link-handling.ts'
import { readRequest } from './start/open-request.ts'
import { ownArguments } from './start/own-arguments.ts'
import { readOptions } from './start/options.ts'
import { profileFolder } from './start/paths.ts'
import { openPreferences } from './preferences/preferences.ts'
import { quitInOrder, quitWithLauncher, quitWithSystem } from './start/quit.ts'
import { agreesToNoSandbox, lostSandbox } from './start/sandbox-consent.ts'
import { followTheme } from './windows/theme.ts'
import { claimSingleInstance } from './start/single-instance.ts'

/** Runs the app; `appPath` is its own path where Electron's program was told to run it. */
export function runApp(appPath: string | undefined) {
  const options = readOptions(process.argv)
  const usualDataFolder = defaultDataFolder()
  const dataFolder = options.server.dataFolder ?? usualDataFolder
  const appData = app.getPath('appData')
  const profile = options.profile ?? profileFolder({ appData, dataFolder, usualDataFolder })
  // Only its own account may look into it: a cookie in it opens every document.
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)

  const asked = readRequest(ownArguments(process.argv, appPath), process.cwd())
  if (!claimSingleInstance(asked, appPath, (request) => desktop.open(request))) {
    app.quit()
    return
  }
  keepDiagnostics(profile)
  // By this name Windows knows whose the notifications are; the installer's shortcut has it, too.
  if (process.platform === 'win32' && app.isPackaged) app.setAppUserModelId('app.galley.desktop')
  const preferences = openPreferences(path.join(profile, 'preferences.json'))
  const desktop = createDesktop({ options, dataFolder, profile, preferences })
  // On macOS files come this way, the first of them before the app is ready.
  app.on('open-file', (event, file) => {
    event.preventDefault()
    desktop.open({ files: [file] })
  })
  hearLinks((page) => desktop.open({ page, files: [] }))
  app.on('activate', () => desktop.show())
  quitInOrder(desktop)

  // Not awaited: Electron becomes ready only after this module has been evaluated.
  void app.whenReady().then(async () => {
    if (lostSandbox(process.argv, process.env) && !(await agreesToNoSandbox(preferences))) return app.quit()
    followTheme(preferences.find('theme'))
    quitWithSystem()
    quitWithLauncher()
    claimLinks()
    // macOS says it in its own way.
    const atLogin = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
    desktop.start(atLogin ? { ...asked, background: true } : asked)
  })
}
