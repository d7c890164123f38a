import { app, Menu } from 'electron'
import { toTemplate, type Changing, type MenuContext, type MenuEntry } from './menu-entry.ts'

export interface ApplicationMenu {
  /** Shows what can be chosen now, and what is on. */
  refresh(): void
  /** Makes the menu anew: after a change of which entries there are. */
  rebuild(): void
}

/** Puts the application menu in its place and keeps it true as windows come to the front. Only after ready. */
export function showApplicationMenu(entries: () => MenuEntry[], context: MenuContext): ApplicationMenu {
  let changing: Changing[] = []
  let menu: Menu

  const refresh = () => {
    for (const { id, enabled, checked } of changing) {
      const item = menu.getMenuItemById(id)
      if (!item) continue
      item.enabled = enabled()
      if (checked) item.checked = checked()
    }
  }
  const rebuild = () => {
    const made = toTemplate(entries(), {
      ...context,
      runCommand(id, always) {
        context.runCommand(id, always)
        // The platform has switched what can be switched; whether it is so, the page will say.
        refresh()
      },
    })
    changing = made.changing
    menu = Menu.buildFromTemplate(made.template)
    Menu.setApplicationMenu(menu)
  }

  rebuild()
  app.on('browser-window-focus', refresh)
  return { refresh, rebuild }
}
