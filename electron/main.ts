// The desktop shell: the owner's app in a window, with the server in a process beside it.
import { app, Menu } from 'electron'
import { mkdirSync } from 'node:fs'
import { defaultDataFolder } from '../server/data-folder.ts'
import { createDesktop } from './desktop.ts'
import { createMenu } from './menu.ts'
import { pageAskedFor } from './open-request.ts'
import { readOptions } from './options.ts'
import { profileFolder } from './paths.ts'
import { closeBeforeQuitting } from './quit.ts'
import { followTheme } from './theme.ts'
import { claimSingleInstance } from './single-instance.ts'

function run() {
  const options = readOptions(process.argv)
  const usualDataFolder = defaultDataFolder()
  const dataFolder = options.server.dataFolder ?? usualDataFolder
  const appData = app.getPath('appData')
  const profile = options.profile ?? profileFolder({ appData, dataFolder, usualDataFolder })
  // Only its own account may look into it: a cookie in it opens every document.
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)

  const desktop = createDesktop({ ...options.server, dataFolder }, dataFolder)
  if (!claimSingleInstance((argv) => desktop.show(pageAskedFor(argv)))) {
    app.quit()
    return
  }
  app.on('activate', () => desktop.show())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  closeBeforeQuitting(() => desktop.close())

  // Not awaited: Electron becomes ready only after this module has been evaluated.
  void app.whenReady().then(() => {
    Menu.setApplicationMenu(createMenu())
    followTheme()
    desktop.start(pageAskedFor(process.argv))
  })
}

run()
