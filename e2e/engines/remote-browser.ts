// What specs need of a browser that Playwright doesn't drive: both WebDriver protocols can do this much.
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A step of WebDriver's “perform actions”, which has the same form in WebDriver and WebDriver BiDi. */
export type KeyStep = { type: 'keyDown' | 'keyUp'; value: string }
export type PointerStep =
  { type: 'pointerMove'; x: number; y: number } | { type: 'pointerDown' | 'pointerUp'; button: number }
export type InputSource =
  { type: 'key'; id: string; actions: KeyStep[] } | { type: 'pointer'; id: string; actions: PointerStep[] }

/** One running browser with one page, a profile of its own, and nobody signed in. */
export interface RemoteBrowser {
  /** Resolves once the page has loaded. */
  navigate(url: string): Promise<void>
  /** Runs the body of a function in the page; what it returns has to be JSON. */
  run(body: string, ...args: unknown[]): Promise<unknown>
  perform(source: InputSource): Promise<void>
  /** What the page shows, as PNG. */
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

/** What has to be undone when a browser ends, last first. */
export class BrowserEnding {
  #steps: (() => unknown)[] = []

  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step()
  }
}

/** Starts a program that ends with `ending`. */
export function startProgram(ending: BrowserEnding, command: string, args: string[], options: SpawnOptions) {
  const child = spawn(command, args, options)
  ending.add(() => stop(child))
  return child
}

/** A folder that goes with `ending`. */
export function makeFolder(ending: BrowserEnding, name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `galley-${name}-`))
  ending.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const forced = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await ended
  clearTimeout(forced)
}

/** The first match in what a program prints. */
export function waitForOutput(child: ChildProcess, stream: NodeJS.ReadableStream, pattern: RegExp) {
  return new Promise<string>((resolve, reject) => {
    let printed = ''
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const found = pattern.exec(printed)
      if (found) resolve(found[1]!)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended (${code}): ${printed}`)))
  })
}
