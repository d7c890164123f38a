import type { DesktopOptions } from '../start/options.ts'

/** What starts the app without its windows, where it was chosen that it goes on without them. */
const backgroundOption = '--background'

export interface StartCommandPlace {
  /** The program that runs. */
  execPath: string
  /** The one file that somebody keeps, of which the program is unpacked anew at each start. */
  appImage: string | undefined
  /** The app's own path where Electron's program was told to run it. */
  appPath: string | undefined
  options: DesktopOptions
}

/** The program and arguments with which the system starts this Galley at login. */
export function startCommand({
  execPath,
  appImage,
  appPath,
  options,
}: StartCommandPlace): [string, ...string[]] {
  const { dataFolder, port, sharePort } = options.server
  return [
    appImage ?? execPath,
    ...(appPath === undefined ? [] : [appPath]),
    ...(dataFolder === undefined ? [] : [`--data=${dataFolder}`]),
    ...(options.profile === undefined ? [] : [`--profile=${options.profile}`]),
    ...(port === undefined ? [] : [`--port=${port}`]),
    ...(sharePort === undefined ? [] : [`--share-port=${sharePort}`]),
    backgroundOption,
  ]
}
