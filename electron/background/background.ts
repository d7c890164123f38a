import { app, Notification } from 'electron'
import type { DesktopState } from '../../server/contract/desktop.ts'
import type { SharingNow } from '../../server/contract/events.ts'
import type { MenuEntry } from '../menus/menu-entry.ts'
import type { Preferences } from '../preferences/preferences.ts'
import { createTrayIcon } from './tray.ts'
import { goneMessage, sharingNotice, sharingMessage } from './background-messages.ts'
import { findTrayHost } from './tray-host.ts'

export interface BackgroundOptions {
  preferences: Preferences
  /** Whether there is a server that could go on. */
  isUp: () => boolean
  /** Has every link open nothing, or be again what it was. */
  setSharing: (wanted: { stopped: boolean }) => Promise<void>
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
  /** What is shared; undefined while there is no server. */
  showSharing(sharing: SharingNow | undefined): void
}

/** What Galley does without a window: it ends, or by choice goes on sharing behind an icon beside the clock. */
export function createBackground(options: BackgroundOptions): Background {
  const { preferences, isUp, open, newDocument } = options
  let sharing: SharingNow | undefined
  const mac = process.platform === 'darwin'
  const isKept = () => preferences.find('keepSharing') ?? false
  const icon = createTrayIcon(
    (): MenuEntry[] => [
      { label: sharingMessage(sharing), run() {}, enabled: () => false },
      ...sharingEntries(),
      'separator',
      { label: 'Open Galley', run: open },
      { label: 'New Document', run: newDocument },
      'separator',
      { label: 'Quit Galley', run: () => app.quit() },
    ],
    open,
  )

  /** Stopping everything asks nothing: it is taken back from the same place. */
  function sharingEntries(): MenuEntry[] {
    if (sharing?.stopped) return [{ label: 'Start Sharing Again', run: () => void share({ stopped: false }) }]
    if (!sharing?.links) return []
    return [{ label: 'Stop Sharing Everything', run: () => void share({ stopped: true }) }]
  }
  async function share(wanted: { stopped: boolean }) {
    const done = await options.setSharing(wanted).then(
      () => true,
      () => false,
    )
    const message = sharingNotice(wanted, done)
    if (message) say(message)
  }

  function say(message: { title: string; body: string }) {
    if (!Notification.isSupported()) return
    const notification = new Notification({ ...message, silent: true })
    notification.on('click', open)
    notification.show()
  }
  /** Once, the first time. */
  async function sayWhereItWent() {
    if (preferences.find('toldStaying')) return
    preferences.set('toldStaying', true)
    say({ title: 'Galley goes on sharing', body: goneMessage(await findTrayHost(), process.platform) })
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
    showSharing(now) {
      sharing = now
      icon.refresh()
    },
  }
}
