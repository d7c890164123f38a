import { app } from 'electron'
import { setTimeout as after } from 'node:timers/promises'

/** What pages send as they close reaches the server a moment after their windows have gone. */
const lastWords = 400

/**
 * Lets the server close its database before the app ends, but after the windows have closed: what their pages send at
 * the last moment is still saved.
 */
export function closeBeforeQuitting(close: () => Promise<void>) {
  let state: 'open' | 'closing' | 'closed' = 'open'
  app.on('will-quit', (event) => {
    if (state === 'closed') return
    event.preventDefault()
    if (state === 'closing') return
    state = 'closing'
    void after(lastWords)
      .then(close)
      .finally(() => {
        state = 'closed'
        app.quit()
      })
  })
}
