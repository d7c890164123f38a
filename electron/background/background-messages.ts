import type { DesktopState } from '../../server/contract/desktop.ts'
import type { SharingNow } from '../../server/contract/events.ts'

/** How sharing stands, in the icon's menu. */
export function sharingMessage(sharing: SharingNow | undefined): string {
  if (sharing === undefined) return 'Not sharing just now'
  if (sharing.stopped) return 'You have stopped sharing'
  if (sharing.links === 0) return 'No share link works'
  return sharing.links === 1 ? '1 share link works' : `${sharing.links} share links work`
}

/** What became of stopping or starting that was chosen in the icon's menu; null where the menu itself shows it. */
export function sharingNotice(wanted: { stopped: boolean }, done: boolean): NotificationCopy | null {
  const further = 'Open Galley to see what is the matter.'
  if (!done)
    return {
      title: wanted.stopped ? 'Sharing wasn’t stopped' : 'Sharing wasn’t started again',
      body: further,
    }
  if (!wanted.stopped) return null
  return {
    title: 'Nothing is shared any more',
    body: 'Your links open nothing until you start again, from the same menu or in Galley.',
  }
}

interface NotificationCopy {
  title: string
  body: string
}

/** Where Galley is once its last window has gone, and the way back. */
export function goneMessage(tray: DesktopState['tray'], platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Its icon in the menu bar opens it again, and ends it.'
  if (tray === 'no') return 'To open it again, start it again. It ends when you quit it from its menu.'
  return 'Its icon beside the clock opens it again, and ends it; starting it again opens it, too.'
}
