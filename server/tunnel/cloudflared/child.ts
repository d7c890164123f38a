import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface ChildOptions {
  file: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Called with each line that it writes to its error stream. */
  onLine: (line: string) => void
  /** How long it may take to end by itself once asked, in milliseconds. */
  grace: number
}

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  /** Why it couldn't be started. */
  error?: NodeJS.ErrnoException
}

export interface Child {
  readonly ended: Promise<Exit>
  /** Asks it to end, and ends it if it doesn't. Resolves when it is gone. */
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
// The last that this process does, however it comes to its end, short of being killed.
const killAll = () => {
  for (const child of running) child.kill('SIGKILL')
}

/** Starts a program that lives no longer than this process. */
export function startChild({ file, args, env, onLine, grace }: ChildOptions): Child {
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true })
  if (running.size === 0) process.on('exit', killAll)
  running.add(child)
  const guard = child.pid === undefined ? undefined : startGuard(child.pid)
  const { promise: ended, resolve } = Promise.withResolvers<Exit>()
  const end = (exit: Exit) => {
    guard?.kill('SIGKILL')
    running.delete(child)
    if (running.size === 0) process.off('exit', killAll)
    resolve(exit)
  }
  child.once('error', (error) => {
    if (child.pid === undefined) end({ code: null, signal: null, error })
  })
  // Not `exit`, after which lines may still come.
  child.once('close', (code, signal) => end({ code, signal }))
  createInterface({ input: child.stderr }).on('line', onLine)
  return {
    ended,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), grace)
      await ended
      clearTimeout(timer)
    },
  }
}

/**
 * A shell that waits for the end of its input, which comes when this process is gone, however it went, and then kills
 * the child. On Windows libuv has put the child into a job that ends with this process, as it does with every child that
 * isn't detached.
 */
function startGuard(pid: number): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -9 "$1" 2>/dev/null', 'guard', String(pid)], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
    // Of its own, so that Ctrl-C at a terminal leaves it to its work.
    detached: true,
  })
  guard.on('error', () => undefined)
  guard.unref()
  ;(guard.stdin as Socket | null)?.unref()
  return guard
}
