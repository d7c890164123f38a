import { BrowserWindow, nativeTheme } from 'electron'

/** The pages' own `--desk`, so that a window looks like its page before there is one. */
export const windowBackground = (): string => (nativeTheme.shouldUseDarkColors ? '#111214' : '#f5f3ee')

/**
 * Begins with the theme that the pages had last, before any of them can say which, and keeps the windows' background in
 * step with the system's theme or the app's.
 */
export function followTheme(last: typeof nativeTheme.themeSource = 'system') {
  nativeTheme.themeSource = last
  nativeTheme.on('updated', () => {
    for (const window of BrowserWindow.getAllWindows()) window.setBackgroundColor(windowBackground())
  })
}
