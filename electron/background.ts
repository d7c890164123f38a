import { app, Notification } from 'electron'
import type { DesktopState } from '../server/contract/desktop.ts'
import type { MenuEntry } from './menu-entry.ts'
import type { Preferences } from './preferences.ts'
import { createTrayIcon } from './tray.ts'
import { goneWords, sharingWords } from './background-words.ts'
import { findTrayHost } from './tray-host.ts'

export interface BackgroundOptions {
  preferences: Preferences
  /** Whether there is a server that could go on. */
  isUp: () => boolean
  /** Brings the app to the front. */
  open: () => void
  newDocument: () => void
}

export interface Background {
  /** Shows the icon if somebody chose to keep sharing. Only after the app is ready. */
  start(): void
  isKept(): boolean
  /** Whether Galley goes on sharing when its last window is closed. */
  keep(on: boolean): void
  /** Whether the system shows the icon. */
  findTray(): Promise<DesktopState['tray']>
  /** So many share links work; undefined while there is no server. */
  showLinks(links: number | undefined): void
}

/** What Galley does without a window: it ends, or by choice goes on sharing behind an icon beside the clock. */
export function createBackground({ preferences, isUp, open, newDocument }: BackgroundOptions): Background {
  let links: number | undefined
  const mac = process.platform === 'darwin'
  const isKept = () => preferences.find('keepSharing') ?? false
  const icon = createTrayIcon(
    (): MenuEntry[] => [
      { label: sharingWords(links), run() {}, enabled: () => false },
      'separator',
      { label: 'Open Galley', run: open },
      { label: 'New Document', run: newDocument },
      'separator',
      { label: 'Quit Galley', run: () => app.quit() },
    ],
    open,
  )

  /** Once, the first time. */
  async function sayWhereItWent() {
    if (preferences.find('toldStaying')) return
    preferences.set('toldStaying', true)
    if (!Notification.isSupported()) return
    const notification = new Notification({
      title: 'Galley goes on sharing',
      body: goneWords(await findTrayHost(), process.platform),
      silent: true,
    })
    notification.on('click', open)
    notification.show()
  }

  app.on('window-all-closed', () => {
    // Without a server there is nothing to go on with.
    if (isKept() && isUp()) void sayWhereItWent()
    else if (!mac) app.quit()
  })

  return {
    start() {
      if (isKept()) icon.show()
    },
    isKept,
    keep(on) {
      preferences.set('keepSharing', on)
      if (on) icon.show()
      else icon.hide()
    },
    findTray: () => findTrayHost(),
    showLinks(now) {
      links = now
      icon.refresh()
    },
  }
}
