import path from 'node:path'

/**
 * The arguments that are meant for the app: those after its own path where Electron's program was told to run it, all
 * of them where it is the app.
 */
export function ownArguments(argv: readonly string[], appPath: string | undefined): string[] {
  if (appPath === undefined) return argv.slice(1)
  const at = argv.findIndex((argument, i) => i > 0 && path.resolve(argument) === path.resolve(appPath))
  return argv.slice(at < 0 ? 1 : at + 1)
}
