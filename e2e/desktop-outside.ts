// What a person sees of the desktop app outside its windows: the icon beside the clock, and notifications.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { DesktopApp } from './desktop-app.ts'

interface Seen {
  tray?: Electron.Tray
  menu?: Electron.Menu
  notifications: Electron.Notification[]
}

/** A script for `DesktopApp.start` that notes what is shown; notifications are held back. */
export function watchOutside(folder: string): string {
  const script = path.join(folder, 'watch-outside.cjs')
  writeFileSync(
    script,
    `const { Notification, Tray } = require('electron')
     const seen = (globalThis.seen = { notifications: [] })
     const { setContextMenu, destroy } = Tray.prototype
     Tray.prototype.setContextMenu = function (menu) {
       Object.assign(seen, { tray: this, menu })
       return setContextMenu.call(this, menu)
     }
     Tray.prototype.destroy = function () {
       if (seen.tray === this) delete seen.tray
       return destroy.call(this)
     }
     Notification.prototype.show = function () {
       seen.notifications.push(this)
     }`,
  )
  return script
}

/** The entries of the icon's menu; undefined while there is no icon. */
export const trayMenu = ({ electron }: DesktopApp) =>
  electron.evaluate(() => {
    const { tray, menu } = (globalThis as unknown as { seen: Seen }).seen
    return tray && menu!.items.flatMap(({ type, label }) => (type === 'separator' ? [] : label))
  })
export const chooseInTray = ({ electron }: DesktopApp, wanted: string) =>
  electron.evaluate((_electron, label) => {
    const { menu } = (globalThis as unknown as { seen: Seen }).seen
    menu!.items.find((item) => item.label === label)!.click()
  }, wanted)
export const clickTray = ({ electron }: DesktopApp) =>
  electron.evaluate(() => void (globalThis as unknown as { seen: Seen }).seen.tray!.emit('click'))

export const notifications = ({ electron }: DesktopApp) =>
  electron.evaluate(() =>
    (globalThis as unknown as { seen: Seen }).seen.notifications.map(({ title, body, silent }) => ({
      title,
      body,
      silent,
    })),
  )
/** Clicks the newest notification of this title. */
export const clickNotification = ({ electron }: DesktopApp, title: string) =>
  electron.evaluate(
    (_electron, wanted) =>
      void (globalThis as unknown as { seen: Seen }).seen.notifications
        .findLast((one) => one.title === wanted)!
        .emit('click', {}),
    title,
  )
