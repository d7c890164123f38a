// The module `electron` as the main process finds it.
import { app } from './application.ts'
import { BrowserWindow, webContents } from './browser-window.ts'
import { ipcMain } from './ipc-main.ts'
import { dialog, Menu, nativeTheme, shell } from './native.ts'
import { session } from './sessions.ts'
import { strict } from './strict.ts'
import { utilityProcess } from './utility-process.ts'

export { start } from './application.ts'
export { app, BrowserWindow, dialog, ipcMain, Menu, nativeTheme, session, shell, utilityProcess, webContents }

/** For `require('electron')`: a member it lacks throws by name. An `import` of one is refused by name anyway. */
const required = strict('electron', {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  session,
  shell,
  utilityProcess,
  webContents,
})
export { required as 'module.exports' }
