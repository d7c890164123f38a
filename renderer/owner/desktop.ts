import type { DesktopBridge } from '../../server/contract/desktop.ts'

/** The bridge to the desktop's window; undefined where the app runs in a browser. */
export const desktop = (globalThis as { galley?: DesktopBridge }).galley
