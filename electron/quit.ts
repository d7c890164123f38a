import { app } from 'electron'

/**
 * Lets the server close its database before the app ends, but after the windows have closed: what their pages send at
 * the last moment is still saved.
 */
export function closeBeforeQuitting(close: () => Promise<void>) {
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    void close().finally(() => {
      closed = true
      app.quit()
    })
  })
}
