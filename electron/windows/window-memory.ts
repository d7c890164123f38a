import { app } from 'electron'
import type { OpenWindow, Preferences } from '../preferences/preferences.ts'

export interface WindowMemory {
  /** The windows that were open last, each place once. */
  last(): OpenWindow[]
  /** After a window has opened, closed, or shows another page. */
  note(): void
  /** Windows that close from here on do so because everything does: they are those that come back. */
  freeze(): void
  /** Somebody stays after all. */
  thaw(): void
}

/** Which windows are open, kept for the next start. The last one to be closed comes back, too. */
export function rememberWindows(preferences: Preferences, open: () => OpenWindow[]): WindowMemory {
  let frozen = false
  app.on('before-quit', () => (frozen = true))

  return {
    last: () => [...new Map(preferences.find('windows')?.map((one) => [one.slot, one])).values()],
    note() {
      const now = open().map(({ slot, path }) => ({ slot, path }))
      if (!frozen && now.length > 0) preferences.set('windows', now)
    },
    freeze: () => (frozen = true),
    thaw: () => (frozen = false),
  }
}
