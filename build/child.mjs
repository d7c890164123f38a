// Running the real program under a launcher as if it had been started directly.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import os from 'node:os'

/** npm runs scripts through a shell, which may stay when npm is gone: both count. What they were when this was started. */
const ancestors = findAncestors()

/** The processes that this one was started by, the nearest first; where the system tells, the one before it too. */
function findAncestors() {
  const { ppid } = process
  try {
    // After the program's name, which may hold anything and stands in brackets.
    const [, before] = readFileSync(`/proc/${ppid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return [ppid, Number(before)]
  } catch {
    return [ppid]
  }
}

/**
 * How Linux's C library (others ignore it) gets large pieces of memory: always as such, so that they go back to the system
 * when they are free. Left alone it takes ever larger ones from its heap, where the smallest thing behind them keeps them:
 * hundreds of megabytes, after a few texts of 9 MB.
 */
const memory = { MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024) }

/**
 * Runs a program in the foreground: same terminal, same signals, same end. The launcher never ends before the
 * child has, and never leaves it behind.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @param {{ leashed?: boolean }} [more] leashed: the child is a part of Galley’s that ends by itself when this process is gone,
 * however it went: then the channel between them closes
 * @returns {Promise<{ code: number, signal: NodeJS.Signals | null }>} the code is the one to exit with
 */
export function runChild(command, args, options = {}, { leashed = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = leashed
      ? spawn(command, args, {
          ...options,
          stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
          env: { ...memory, ...(options.env ?? process.env), GALLEY_LEASHED: '1' },
        })
      : spawn(command, args, { stdio: 'inherit', ...options })
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

    // npm hands signals to its shell only. When either is gone, so should this be.
    const watch = setInterval(() => {
      if (process.env.npm_lifecycle_event && String(findAncestors()) !== String(ancestors))
        child.kill('SIGTERM')
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
