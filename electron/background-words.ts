import type { DesktopState } from '../server/contract/desktop.ts'

/** How sharing stands, in the icon's menu. */
export function sharingWords(links: number | undefined): string {
  if (links === undefined) return 'Not sharing just now'
  if (links === 0) return 'No share link works'
  return links === 1 ? '1 share link works' : `${links} share links work`
}

/** Where Galley is once its last window has gone, and the way back. */
export function goneWords(tray: DesktopState['tray'], platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Its icon in the menu bar opens it again, and ends it.'
  if (tray === 'no') return 'To open it again, start it again. It ends when you quit it from its menu.'
  return 'Its icon beside the clock opens it again, and ends it; starting it again opens it, too.'
}
