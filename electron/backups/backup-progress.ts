import { BrowserWindow } from 'electron'
import type { WindowNotices } from '../notifications/notices.ts'

/** Work that is done sooner needs no notice that it is going on. */
const patience = 1_000
/** What is said of backups, of which the newest takes the place of the one before. */
export const notice = 'backup'

/** Says from the second second on how far something is. */
export function showProgress(notices: WindowNotices, text: string) {
  const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0]
  const progress = (fraction: number) => {
    if (window && !window.isDestroyed()) window.setProgressBar(fraction)
  }
  let shown = false
  const say = (detail?: string) =>
    notices.say({ id: notice, kind: 'progress', text, ...(detail === undefined ? {} : { detail }) })
  const start = setTimeout(() => {
    shown = true
    say()
  }, patience)
  return {
    at(done: number, of: number) {
      if (!shown || of === 0) return
      say(`${Math.floor((done / of) * 100)} %`)
      progress(done / of)
    },
    end() {
      clearTimeout(start)
      progress(-1)
    },
  }
}
