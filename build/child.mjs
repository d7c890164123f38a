// Running the real program under a launcher as if it had been started directly.
import { spawn } from 'node:child_process'
import os from 'node:os'

/**
 * Runs a program in the foreground: same terminal, same signals, same end. The launcher never ends before the
 * child has, and never leaves it behind.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ code: number, signal: NodeJS.Signals | null }>} the code is the one to exit with
 */
export function runChild(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    /** @type {NodeJS.Timeout | undefined} */
    let reminder
    const onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY

    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      // A Windows console hands Ctrl-C to the child itself, and kill() there would cut it off half-way.
      if (process.platform === 'win32' && signal === 'SIGINT') return
      // A terminal sends Ctrl-C to everything it runs, and a program may take a second one for impatience.
      if (signal === 'SIGINT' && onTerminal) reminder ??= setTimeout(() => child.kill(signal), 3000)
      else child.kill(signal)
    }
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
    for (const signal of signals) process.on(signal, forward)

    // npm runs scripts through a shell, and hands signals to that shell only. When the shell is gone, so should this be.
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid !== parent && process.env.npm_lifecycle_event) child.kill('SIGTERM')
    }, 500)

    const done = () => {
      clearTimeout(reminder)
      clearInterval(watch)
      for (const signal of signals) process.off(signal, forward)
    }
    child.on('error', (error) => {
      done()
      reject(error)
    })
    child.on('close', (code, signal) => {
      done()
      resolve({ code: code ?? 128 + (signal ? os.constants.signals[signal] : 1), signal })
    })
  })
}
