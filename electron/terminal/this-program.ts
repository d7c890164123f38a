import { app } from 'electron'
import { accessSync, constants, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { runAsAdministrator } from './administrator.ts'
import { findCommandPlace } from './command-place.ts'
import { createTerminalCommand, type TerminalCommandChoice } from './terminal-command.ts'

/** The command `galley` of the program that runs. */
export function findTerminalCommand(): TerminalCommandChoice {
  const home = homedir()
  const place = findCommandPlace({
    platform: process.platform,
    isPackaged: app.isPackaged,
    appImage: process.env.APPIMAGE,
    resources: process.resourcesPath,
    home,
    searchPath: process.env.PATH,
    systemPaths: process.platform === 'darwin' ? read('/etc/paths') : undefined,
    isReadOnly,
  })
  const runPrivileged = process.platform === 'darwin' ? runAsAdministrator : undefined
  return createTerminalCommand({ place, home, runPrivileged })
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
  }
}
