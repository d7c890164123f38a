import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

export interface Running {
  process: ChildProcess
  /** Milliseconds from the start of the process to its first answer. */
  readyAfter: number
  stop(): Promise<void>
}

async function firstAnswer(url: () => string | undefined, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`the server ended with code ${child.exitCode} before it was ready`)
    const address = url()
    if (address !== undefined) {
      const answered = await fetch(address).then(
        (response) => response.arrayBuffer().then(() => true),
        () => false,
      )
      if (answered) return
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** Whatever ends the benchmark, nothing it started goes on. */
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

const running = (process: ChildProcess, readyAfter: number): Running => ({
  process,
  readyAfter,
  stop: () =>
    new Promise((resolve) => {
      if (process.exitCode !== null) return resolve()
      process.once('exit', () => resolve())
      process.kill('SIGTERM')
    }),
})

/** The built server on a data folder, with free ports. */
export async function startGalley(data: string): Promise<Running & { url: string; shareUrl: string }> {
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [path.join(root, 'out/server/cli.mjs'), 'serve', '--port', '0', '--share-port', '0', '--data', data],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  children.add(child)
  const read = () => {
    try {
      return JSON.parse(readFileSync(path.join(data, 'server.json'), 'utf8')) as {
        url: string
        shareUrl: string
        pid: number
      }
    } catch {
      return undefined
    }
  }
  const own = () => {
    const facts = read()
    return facts?.pid === child.pid ? facts : undefined
  }
  await firstAnswer(() => own()?.url && `${own()!.url}/api/me`, child)
  return { ...running(child, performance.now() - started), ...own()! }
}

/** Bare Fastify and better-sqlite3 on a database file. */
export async function startBare(file: string): Promise<Running & { url: string }> {
  const started = performance.now()
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'bare.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const url = () => (printed.includes('\n') ? `http://127.0.0.1:${printed.trim()}` : undefined)
  await firstAnswer(() => url() && `${url()}/documents`, child)
  return { ...running(child, performance.now() - started), url: url()! }
}

/** Resident memory of a process in MiB; undefined where the system doesn't tell through `/proc`. */
export function residentMemory(child: ChildProcess): number | undefined {
  try {
    const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    return kb === undefined ? undefined : Number(kb) / 1024
  } catch {
    return undefined
  }
}

/** Runs `galley …` from the build; its standard output. */
export function galley(data: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, 'out/server/cli.mjs'), ...args, '--data', data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.once('close', (code) =>
      code === 0 ? resolve(out.trim()) : reject(new Error(`galley ${args[0]} ended with ${code}`)),
    )
  })
}
