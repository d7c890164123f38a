import { app } from 'electron'
import path from 'node:path'
import type { DesktopState } from '../../server/contract/desktop.ts'
import { autostartFile } from './autostart-file.ts'
import type { DesktopOptions } from '../start/options.ts'
import { startCommand } from './start-command.ts'

/** Whether the system starts Galley when the person logs in. */
export interface LoginItem {
  find(): DesktopState['openAtLogin']
  /** @throws if the system won't have it */
  set(on: boolean): void
}

/** Only after the app is ready. */
export function findLoginItem(options: DesktopOptions): LoginItem {
  const [program, ...args] = startCommand({
    execPath: process.execPath,
    appImage: process.env.APPIMAGE,
    appPath: process.defaultApp ? app.getAppPath() : undefined,
    options,
  })
  if (process.platform === 'linux') {
    const item = autostartFile(path.join(app.getPath('appData'), 'autostart'), [program, ...args])
    // An AppImage may have another name since it was updated.
    if (app.isPackaged && item.find() === 'on') item.set(true)
    return item
  }
  return process.platform === 'darwin' ? macItem : windowsItem(program, args)
}

const macItem: LoginItem = {
  find() {
    // Started from its source it would be Electron's program that opens at login.
    if (!app.isPackaged) return 'impossible'
    const { openAtLogin, status } = app.getLoginItemSettings()
    return status === 'requires-approval' ? 'refused' : openAtLogin ? 'on' : 'off'
  },
  set: (on) => app.setLoginItemSettings({ openAtLogin: on }),
}

function windowsItem(program: string, args: string[]): LoginItem {
  // Electron puts them behind the program as they are. A backslash before the closing quote would escape it.
  const own = {
    path: program,
    args: args.map((one) => (/\s/.test(one) ? `"${one.replace(/\\$/, '\\\\')}"` : one)),
  }
  return {
    find() {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(own)
      return !openAtLogin ? 'off' : executableWillLaunchAtLogin ? 'on' : 'refused'
    },
    set: (on) => app.setLoginItemSettings({ ...own, openAtLogin: on, enabled: true }),
  }
}
