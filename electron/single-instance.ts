import { app } from 'electron'

/**
 * Whether this is the only desktop app on its data folder. If so, `onSecond` is told what each later one was started
 * with; if not, the first one has been told, and this one should end.
 */
export function claimSingleInstance(onSecond: (argv: readonly string[]) => void): boolean {
  if (!app.requestSingleInstanceLock()) return false
  app.on('second-instance', (_event, argv) => onSecond(argv))
  return true
}
