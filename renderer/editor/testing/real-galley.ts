import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const cli = path.resolve(import.meta.dirname, '../../../server/cli.ts')

/** The product’s own server in a process of its own, for one test, which may kill it and start it again. */
export class RealGalley {
  url = ''
  readonly folder = mkdtempSync(path.join(tmpdir(), 'galley-renderer-'))
  #process: ChildProcess | null = null

  static async start(): Promise<RealGalley> {
    const galley = new RealGalley()
    onTestFinished(async () => {
      await galley.stop('SIGKILL')
      rmSync(galley.folder, { recursive: true, force: true })
    })
    await galley.start()
    return galley
  }

  /** At the same address as before. */
  async start(): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port
    const child = spawn(process.execPath, [
      ...[cli, 'serve', '--data', this.folder, '--port', port],
      ...['--share-port', '0'],
    ])
    this.#process = child
    let said = ''
    child.stdout.on('data', (chunk) => (said += String(chunk)))
    child.stderr.on('data', (chunk) => (said += String(chunk)))
    while (!said.includes('Ctrl+C')) {
      if (child.exitCode !== null) throw new Error(`The server ended: ${said}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    this.url = /ready at (\S+)/.exec(said)![1]!
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'close')
    child.kill(signal)
    await ended
  }

  /**
   * What a command says.
   * @throws if it fails
   */
  async run(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...args, '--data', this.folder])
    return stdout.trim()
  }
}
