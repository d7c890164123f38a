import { app, session } from 'electron'
import type { WebContents } from 'electron'
import { showApplicationMenu, type ApplicationMenu } from './application-menu.ts'
import { showContextMenus } from './context-menus.ts'
import { applicationMenu, terminalEntries, type MenuActions } from './menu.ts'
import type { TerminalCommand } from '../../server/contract/desktop.ts'
import type { MenuContext, MenuEntry } from './menu-entry.ts'
import { createPageCommands } from './page-commands.ts'
import { partition } from '../windows/partition.ts'
import type { Preferences } from '../preferences/preferences.ts'
import { createSpelling } from './spelling.ts'

export interface MenusOptions {
  isOwn: (url: string) => boolean
  findOutside: (url: string) => string | undefined
  openInside: (url: string) => void
  openOutside: (url: string) => void
  /** The page that is in front, if one is open. */
  front: () => WebContents | undefined
  /** A page that is in front now, whether one was open or not. */
  bringUp: () => WebContents
  actions: MenuActions
  recent: () => MenuEntry[]
  updates: () => MenuEntry[]
  command: () => TerminalCommand | null
  preferences: Preferences
}

export interface Menus {
  /** Puts the application menu in its place. Only after the app is ready. */
  show(): void
  /** Makes the application menu anew, after a change of which entries there are. */
  rebuild(): void
  /** Runs one of the pages' commands, in a window that is brought to the front or opened for it. */
  run(command: string): void
}

/** The menus: of the application, and of what is clicked in its pages. Made before the app is ready. */
export function createMenus({ front, bringUp, actions, preferences, ...options }: MenusOptions): Menus {
  let menu: ApplicationMenu | undefined
  const refresh = () => menu?.refresh()
  const pages = createPageCommands(options.isOwn, refresh)
  const spelling = createSpelling(preferences, refresh)
  const commands: MenuContext = {
    findCommand: (id) => pages.find(front(), id),
    runCommand(id, always) {
      const page = always ? bringUp() : front()
      if (page) pages.run(page, id)
    },
  }

  app.on('session-created', (made) => spelling.silence(made))
  showContextMenus({ ...options, spelling: () => spelling.entries(), commands })

  return {
    show() {
      spelling.resume(session.fromPartition(partition))
      const mac = process.platform === 'darwin'
      const entries = () =>
        applicationMenu({
          mac,
          isPackaged: app.isPackaged,
          name: app.getName(),
          actions,
          spelling: spelling.entries(),
          recent: options.recent(),
          updates: options.updates(),
          terminal: terminalEntries(options.command()),
        })
      menu = showApplicationMenu(entries, commands)
    },
    rebuild: () => menu?.rebuild(),
    run: (command) => commands.runCommand(command, true),
  }
}
