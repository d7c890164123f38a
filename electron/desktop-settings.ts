import { Notification } from 'electron'
import type { DesktopState } from '../server/contract/desktop.ts'
import type { Awake } from './background/awake.ts'
import type { Background } from './background/background.ts'
import { changeSettingsChannel, settingsChannel } from './bridge/channels.ts'
import { answer } from './bridge/ipc.ts'
import type { LoginItem } from './background/login-item.ts'
import type { Preferences } from './preferences/preferences.ts'
import type { TerminalCommandChoice } from './terminal/terminal-command.ts'
import type { AppUpdates } from './updates/updates.ts'

export interface DesktopSettingsOptions {
  isOwn: (url: string) => boolean
  background: Background
  awake: Awake
  preferences: Preferences
  loginItem: () => LoginItem
  updates: AppUpdates
  command: TerminalCommandChoice
  onCommand: () => void
}

const systems = { darwin: 'mac', win32: 'windows' } as const

/** Lets pages show and change what is the desktop's own. */
export function offerSettings(options: DesktopSettingsOptions) {
  const { isOwn, background, awake, preferences, loginItem, updates, command, onCommand } = options
  const find = async (): Promise<DesktopState> => ({
    system: systems[process.platform as keyof typeof systems] ?? 'linux',
    keepSharing: background.isKept(),
    keepAwake: awake.isKept(),
    tray: await background.findTray(),
    openAtLogin: loginItem().find(),
    notifications: Notification.isSupported() ? (preferences.find('notifications') ?? 'silent') : null,
    updates: updates.find(),
    command: command.find(),
  })
  answer(settingsChannel, isOwn, find)
  answer(changeSettingsChannel, isOwn, async (_event, change) => {
    let problem: string | null = null
    if (change.keepSharing !== undefined) background.keep(change.keepSharing)
    if (change.keepAwake !== undefined) awake.keep(change.keepAwake)
    if (change.notifications !== undefined) preferences.set('notifications', change.notifications)
    if (change.updates !== undefined) updates.set(change.updates)
    if (change.openAtLogin !== undefined) {
      try {
        loginItem().set(change.openAtLogin)
      } catch (error) {
        problem = `The system didn’t take it: ${(error as Error).message}`
      }
    }
    if (change.command !== undefined) {
      try {
        await command.set(change.command)
      } catch (error) {
        const what = change.command ? 'The command wasn’t installed' : 'The command wasn’t removed'
        problem = `${what}: ${(error as Error).message}`
      }
      onCommand()
    }
    return { state: await find(), problem }
  })
}
