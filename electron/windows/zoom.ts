import { app, BrowserWindow } from 'electron'
import type { WebContents } from 'electron'

/** As far as one step of the platform's own menu entries goes; Chromium's levels are powers of 1.2. */
const step = 0.5
const limits = { smallest: -4, largest: 6 }

/**
 * Makes everything in the window larger or smaller, or as it was. Chromium has one level for all pages of a host, so it
 * counts for every window, and remembers it.
 */
function zoom(contents: WebContents | undefined, direction: 'in' | 'out' | 'reset') {
  if (!contents) return
  const level = { in: contents.zoomLevel + step, out: contents.zoomLevel - step, reset: 0 }[direction]
  contents.zoomLevel = Math.min(Math.max(level, limits.smallest), limits.largest)
}

export const zoomWindow = (direction: 'in' | 'out' | 'reset') => () =>
  zoom(BrowserWindow.getFocusedWindow()?.webContents, direction)

/** Zooms with the mouse's wheel and Ctrl, as in a browser. */
export function zoomByWheel() {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('zoom-changed', (_, direction) => zoom(contents, direction))
  })
}
