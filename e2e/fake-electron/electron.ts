// The module `electron` as the main process finds it.
import { app } from './application.ts'
import { BrowserWindow, webContents } from './browser-window.ts'
import { crashReporter } from './crash-reporter.ts'
import { ipcMain } from './ipc-main.ts'
import { Menu } from './menu.ts'
import {
  clipboard,
  ClipboardItem,
  dialog,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  shell,
} from './native.ts'
import { safeStorage } from './safe-storage.ts'
import { Notification } from './notification.ts'
import { autoUpdater, net } from './network.ts'
import { session } from './sessions.ts'
import { strict } from './strict.ts'
import { Tray } from './tray.ts'
import { utilityProcess } from './utility-process.ts'
import { screen } from './window-state.ts'

export { start } from './application.ts'
export {
  app,
  autoUpdater,
  BrowserWindow,
  clipboard,
  ClipboardItem,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
  webContents,
}

/** For `require('electron')`: a member it lacks throws by name. An `import` of one is refused by name anyway. */
const required = strict('electron', {
  app,
  autoUpdater,
  BrowserWindow,
  clipboard,
  ClipboardItem,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
  webContents,
})
export { required as 'module.exports' }
