import { app } from 'electron'
import { Check } from 'typebox/value'
import { OpenRequest, readRequest } from './open-request.ts'
import { ownArguments } from './own-arguments.ts'

/** The system's messages between programs have their limits, and the arguments are in them already. */
const mostSent = 8 * 1024

/**
 * Whether this is the only desktop app on its data folder. If so, `onSecond` is told what each later one is asked to
 * open; if not, the first one has been told, and this one should end.
 */
export function claimSingleInstance(
  own: OpenRequest,
  appPath: string | undefined,
  onSecond: (request: OpenRequest) => void,
): boolean {
  // Electron brings another's arguments into an order of its own, in which what an option takes can look like a file.
  const sent = JSON.stringify(own).length <= mostSent ? own : {}
  if (!app.requestSingleInstanceLock(sent)) return false
  app.on('second-instance', (_event, argv, folder, data) =>
    onSecond(Check(OpenRequest, data) ? data : readRequest(ownArguments(argv, appPath), folder)),
  )
  return true
}
