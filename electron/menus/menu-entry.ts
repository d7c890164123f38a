import type { BaseWindow, MenuItemConstructorOptions } from 'electron'
import { shortcuts } from '../../server/contract/shortcuts.ts'

type Role = NonNullable<MenuItemConstructorOptions['role']>

/** An entry that the platform knows: its words, its shortcut and what it does are the platform's. */
interface RoleEntry {
  role: Role
  label?: string
  enabled?: boolean
}

/**
 * One of the page's commands, by its id. It is sent to the window in front and can be chosen while that window's page
 * has it. Where the page listens for its shortcut itself, the menu only shows it.
 */
interface CommandEntry {
  command: string
  label: string
  /** A shortcut that only the menu knows. */
  keys?: string
  /** It shows whether what it switches is on. */
  kind?: 'checkbox' | 'radio'
  /** It can be chosen where no page has it, too: a window is brought to the front, or opened, and then does it. */
  always?: boolean
}

/** What the main process does itself. */
export interface ActionEntry {
  label: string
  run: (window: BaseWindow | undefined) => void
  keys?: string
  kind?: 'checkbox' | 'radio'
  enabled?: () => boolean
  checked?: () => boolean
  /** It is there for its shortcut only. */
  hidden?: boolean
}

interface SubmenuEntry {
  label: string
  submenu: MenuEntry[]
  /** For the menus that macOS adds entries of its own to. */
  role?: Role
}

export type MenuEntry = 'separator' | RoleEntry | CommandEntry | ActionEntry | SubmenuEntry

/** A shortcut written as the pages write it, `Mod-Shift-k`, as Electron writes it. */
export const accelerator = (keys: string): string =>
  keys
    .split(/-(?=.)/)
    .map(modifier)
    .join('+')
const modifier = (key: string) => (key === 'Mod' ? 'CommandOrControl' : key)

export interface MenuContext {
  /** Runs a command of the page's. */
  runCommand: (id: string, always: boolean) => void
  /** Whether the page in front has this command, and whether what it switches is on. */
  findCommand: (id: string) => { checked?: boolean } | undefined
}

/** An item whose state changes while the menu stays, and how to read it. */
export interface Changing {
  id: string
  enabled: () => boolean
  checked: (() => boolean) | undefined
}

/** Entries as Electron wants them, and the items among them whose state has to be kept up to date. */
export function toTemplate(entries: MenuEntry[], context: MenuContext) {
  const changing: Changing[] = []

  const note = (state: Omit<Changing, 'id'>) => {
    const id = `galley-${changing.length}`
    changing.push({ id, ...state })
    return { id, enabled: state.enabled(), ...(state.checked ? { checked: state.checked() } : {}) }
  }
  const convert = (entry: MenuEntry): MenuItemConstructorOptions => {
    if (entry === 'separator') return { type: 'separator' }
    if ('submenu' in entry) return { ...entry, submenu: entry.submenu.map(convert) }
    if ('command' in entry) {
      const { command, label, keys, kind, always = false } = entry
      const shown = keys ?? (shortcuts as Record<string, string>)[command]
      return {
        label,
        ...(kind ? { type: kind } : {}),
        ...(shown === undefined ? {} : { accelerator: accelerator(shown) }),
        ...(keys === undefined ? { registerAccelerator: false } : {}),
        ...note({
          enabled: () => always || context.findCommand(command) !== undefined,
          checked: kind && (() => context.findCommand(command)?.checked ?? false),
        }),
        click: () => context.runCommand(command, always),
      }
    }
    if ('run' in entry) {
      const { label, run, keys, kind, enabled, checked, hidden } = entry
      return {
        label,
        ...(kind ? { type: kind } : {}),
        ...(keys === undefined ? {} : { accelerator: accelerator(keys) }),
        ...(hidden ? { visible: false } : {}),
        ...(enabled || checked ? note({ enabled: enabled ?? (() => true), checked }) : {}),
        click: (_item, window) => run(window),
      }
    }
    return entry
  }
  return { template: entries.map(convert), changing }
}
