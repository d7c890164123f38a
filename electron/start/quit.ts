import { app, powerMonitor } from 'electron'

export interface LastSteps {
  /** While the windows are still there. */
  flush: () => Promise<void>
  /** When they have gone. */
  close: () => Promise<void>
  /** At last: ends the app, by whatever way. */
  leave: () => void
}

/** Before the app ends, its pages save what they have; then its windows close; then the server closes its database. */
export function quitInOrder({ flush, close, leave }: LastSteps) {
  let state: 'open' | 'flushing' | 'flushed' | 'closing' | 'closed' = 'open'
  app.on('before-quit', (event) => {
    if (state === 'closed' || state === 'closing') return
    if (state === 'flushed') {
      // If a page objects now, the next attempt begins anew.
      state = 'open'
      return
    }
    event.preventDefault()
    if (state === 'flushing') return
    state = 'flushing'
    void flush().finally(() => {
      state = 'flushed'
      app.quit()
    })
  })
  app.on('will-quit', (event) => {
    if (state === 'closed') return
    event.preventDefault()
    if (state === 'closing') return
    state = 'closing'
    void close().finally(() => {
      state = 'closed'
      leave()
    })
  })
}

/** Quits in the same order when what started it from a checkout is gone, however that went. */
export function quitWithLauncher() {
  if (process.env['GALLEY_LEASHED'] && process.channel) process.once('disconnect', () => app.quit())
}

/** Quits in the same order when the system ends or the person logs off. Only after the app is ready. */
export function quitWithSystem() {
  const quitFirst = (event: { preventDefault(): void }) => {
    event.preventDefault()
    app.quit()
  }
  // On Linux and macOS. Electron's types leave out the event.
  powerMonitor.on('shutdown', quitFirst as () => void)
  app.on('browser-window-created', (_event, window) => {
    // On Windows, which waits some seconds for a program that asks it to and goes on when that has ended.
    window.on('query-session-end', quitFirst)
  })
}
