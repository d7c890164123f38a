import { Menu, Tray } from 'electron'
import path from 'node:path'
import { toTemplate, type MenuEntry } from '../menus/menu-entry.ts'

/** The pictures in the built app. macOS paints its own in the colour of the menu bar. */
const pictures: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'trayTemplate.png',
  win32: 'tray.ico',
}

export interface TrayIcon {
  /** Puts it in its place. Only after the app is ready. */
  show(): void
  hide(): void
  /** Shows what can be chosen now. */
  refresh(): void
}

/** Galley's icon beside the clock. */
export function createTrayIcon(entries: () => MenuEntry[], open: () => void): TrayIcon {
  let tray: Tray | undefined

  function refresh() {
    const none = { findCommand: () => undefined, runCommand() {} }
    // Linux shows changes of a menu only when it is given the menu again.
    tray?.setContextMenu(Menu.buildFromTemplate(toTemplate(entries(), none).template))
  }
  return {
    show() {
      if (tray) return
      tray = new Tray(path.join(import.meta.dirname, 'icons', pictures[process.platform] ?? 'tray.png'))
      tray.setToolTip('Galley')
      // On macOS a click opens the menu.
      if (process.platform !== 'darwin') tray.on('click', open)
      refresh()
    },
    hide() {
      tray?.destroy()
      tray = undefined
    },
    refresh,
  }
}
