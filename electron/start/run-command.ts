import { app } from 'electron'
import { runHere } from '../../server/cli.ts'

/** Runs a command of `galley` in this process, without a window, and ends it with the command's exit code. */
export async function runCommand(args: readonly string[]) {
  if (process.platform === 'darwin') app.dock?.hide()
  // Electron would show a window with what went wrong; Node says it on standard error and ends.
  process.on('unhandledRejection', (reason) => {
    throw reason
  })
  process.on('uncaughtException', (error) => {
    // A server decides by itself whether it can go on.
    if (process.listenerCount('uncaughtException') > listeners) return
    process.stderr.write(`${error.stack ?? String(error)}\n`)
    app.exit(1)
  })
  const listeners = process.listenerCount('uncaughtException')
  // Electron goes on to become an app when nothing keeps Node's loop going, where Node would go on waiting for its threads.
  const going = setInterval(() => {}, 60_000)
  const code = await runHere(args)
  await Promise.all([written(process.stdout), written(process.stderr)])
  clearInterval(going)
  app.exit(code)
}

/** When all that was said has been handed over; whoever reads no more isn't waited for. */
const written = (stream: NodeJS.WriteStream) =>
  new Promise<void>((resolve) => {
    if (stream.destroyed || !stream.writable) resolve()
    else stream.write('', () => resolve())
  })
