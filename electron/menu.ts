import { app, Menu } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'

/** The application menu: the platform's own entries with the platform's own shortcuts. */
export function createMenu(): Menu {
  const mac = process.platform === 'darwin'
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
  const forDevelopers: MenuItemConstructorOptions[] = [
    { type: 'separator' },
    { role: 'reload' },
    { role: 'toggleDevTools' },
  ]
  return Menu.buildFromTemplate([
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    { label: '&File', submenu: [mac ? { role: 'close' } : { role: 'quit' }] },
    { role: 'editMenu' },
    { label: '&View', submenu: app.isPackaged ? view : [...view, ...forDevelopers] },
    { role: 'windowMenu' },
  ])
}
