import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** The built command line; what `npm start` runs. */
const program = path.resolve(import.meta.dirname, '../out/server/cli.mjs')

export interface GalleyProcess {
  url: string
  shareUrl: string
  /** The one-time sign-in link it printed. */
  signInLink: string
  stop(): Promise<void>
  /** Ends it the way a power cut would. */
  kill(): Promise<void>
  /** Has it neither answer nor refuse anything, as a machine that sleeps, and go on. */
  sleep(): void
  wake(): void
}

/** Runs `galley …` on a data folder until it ends. */
export const runGalley = (data: string, ...args: string[]) =>
  spawnSync(process.execPath, [program, ...args, '--data', data], { encoding: 'utf8' })

/** The texts of the documents in a data folder, as they are exported. */
export function storedTexts(data: string): string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-exported-'))
  try {
    const { status, stderr } = runGalley(data, 'export', folder)
    if (status !== 0) throw new Error(stderr)
    return readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Starts the server, on free ports unless they are named, and waits until it is ready. A share port of null asks for
 * none.
 */
export async function startGalley(
  data: string,
  port = '0',
  env = process.env,
  sharePort: string | null = '0',
): Promise<GalleyProcess> {
  const child = spawn(
    process.execPath,
    [
      program,
      'serve',
      '--port',
      port,
      ...(sharePort === null ? [] : ['--share-port', sharePort]),
      '--data',
      data,
    ],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const printed = await untilReady(child)
  const find = (pattern: RegExp) => pattern.exec(printed)![1]!
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill(signal)
      // One that sleeps would never hear it.
      child.kill('SIGCONT')
    })
  return {
    url: find(/ready at (\S+)/),
    shareUrl: find(/start with (\S+)\/share\//),
    signInLink: find(/(http\S+\/sign-in#\w+)/),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    sleep: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
  }
}

function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (/sign-in#\w+/.test(printed) && /start with \S+\/share\//.test(printed)) resolve(printed)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with code ${code} before it was ready`)))
  })
}
