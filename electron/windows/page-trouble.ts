import { dialog } from 'electron'
import type { BrowserWindow } from 'electron'

export interface PageTroubleOptions {
  window: BrowserWindow
  /** Loads the page that was there. */
  reload: () => void
  /** Loads the list of documents instead. */
  leave: () => void
  now?: () => number
}

/** So many crashes within so long are no accident any more. */
const toldAfter = 3
const within = 60_000

/**
 * Brings a page back that has crashed: what was typed is kept in its storage, and comes back with it. One that crashes
 * again and again, or doesn't answer, is asked about.
 */
export function watchForTrouble({ window, reload, leave, now = Date.now }: PageTroubleOptions) {
  const { webContents: contents } = window
  let crashes: number[] = []
  let waiting: AbortController | undefined

  async function askAboutCrashes() {
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message: 'This page keeps crashing',
      detail:
        'What you wrote is kept. Perhaps it goes well once more; your other documents are not concerned.',
      buttons: ['Try again', 'Show all documents', 'Close the window'],
      defaultId: 0,
      cancelId: 0,
    })
    if (window.isDestroyed()) return
    if (response === 0) reload()
    else if (response === 1) leave()
    // There is no page left that could have anything to say.
    else window.destroy()
  }

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    waiting?.abort()
    if (reason === 'clean-exit') return
    console.error(`A page has gone (${reason}, ${exitCode}).`)
    crashes = [...crashes.filter((at) => now() - at < within), now()]
    if (crashes.length < toldAfter) return reload()
    crashes = []
    void askAboutCrashes()
  })

  window.on('unresponsive', () => {
    if (waiting) return
    const patience = (waiting = new AbortController())
    const question = {
      type: 'warning' as const,
      message: 'This window isn’t answering',
      detail:
        'You can wait a little. Loading it anew brings back what you wrote, as far as it had been kept.',
      buttons: ['Wait', 'Load anew'],
      defaultId: 0,
      cancelId: 0,
      signal: patience.signal,
    }
    void dialog.showMessageBox(window, question).then(({ response }) => {
      waiting = undefined
      // What doesn't answer can't be asked to go; it is loaded again because it has gone.
      if (response === 1 && !patience.signal.aborted && !window.isDestroyed())
        contents.forcefullyCrashRenderer()
    })
  })
  window.on('responsive', () => waiting?.abort())
}
