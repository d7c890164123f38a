// Starts the desktop app as it was built, on Electron’s own binary or on the fake for it.
import { _electron, expect, test, type ElectronApplication, type Page } from '@playwright/test'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A checkout, or a packaged app's folder. */
export const appFolder = path.resolve(process.env.GALLEY_APP_FOLDER ?? path.join(import.meta.dirname, '..'))
const isReal = Boolean(process.env.GALLEY_REAL_ELECTRON)
if (!isReal) process.env.ELECTRON_OVERRIDE_DIST_PATH = path.join(import.meta.dirname, 'fake-electron')

export const sayWhichElectron = () =>
  console.log(
    isReal
      ? 'These desktop specs run on Electron’s own binary.'
      : 'These desktop specs run on the fake of Electron (e2e/fake-electron); GALLEY_REAL_ELECTRON=1 takes its binary.',
  )

export interface Facts {
  url: string
  shareUrl: string
  pid: number
}

interface StartOptions {
  folder?: string
  args?: string[]
  /** A script that the program runs before the app. */
  before?: string
}

export class DesktopApp {
  readonly electron: ElectronApplication
  readonly data: string
  readonly #folder: string
  readonly #args: string[]
  #printed = ''

  private constructor(electron: ElectronApplication, folder: string, args: string[]) {
    this.electron = electron
    this.data = path.join(folder, 'data')
    this.#folder = folder
    this.#args = args
    for (const stream of [electron.process().stdout, electron.process().stderr])
      stream?.on('data', (data: Buffer) => (this.#printed += data.toString()))
  }

  /** Starts the app on a folder of its own, or on one that `newFolder` made. */
  static async start({
    folder = newFolder(),
    args = ['--port=0', '--share-port=0'],
    before,
  }: StartOptions = {}) {
    const all = [
      ...(before === undefined ? [] : ['-r', before]),
      appFolder,
      '--data',
      path.join(folder, 'data'),
      '--profile',
      path.join(folder, 'profile'),
      ...args,
    ]
    const electron = await _electron.launch({
      args: all,
      cwd: appFolder,
      // Chromium refuses its sandbox to root, as which it runs in containers.
      chromiumSandbox: process.getuid?.() !== 0,
      env: { ...process.env, ...(await findDisplay()) },
    })
    return new DesktopApp(electron, folder, all)
  }

  /** The first window's page. Where the app ended before it had one, the error says how. */
  async firstWindow(): Promise<Page> {
    const program = this.electron.process()
    try {
      return await this.electron.firstWindow()
    } catch (error) {
      // Its connection may be gone some moments before it is.
      if (program.exitCode === null && program.signalCode === null)
        await Promise.race([once(program, 'exit'), wait(5000)])
      const { exitCode, signalCode } = program
      const how =
        exitCode === null && signalCode === null
          ? 'it still runs'
          : `it ended with ${signalCode ?? `code ${String(exitCode)}`}`
      throw new Error(`The app has no window, and ${how}. It printed:\n${this.#printed}`, { cause: error })
    }
  }

  /** The first window's page, with the list of documents in it. */
  async page(): Promise<Page> {
    const page = await this.firstWindow()
    await page.waitForURL(/^http:/)
    const { pathname, origin } = new URL(page.url())
    if (pathname !== '/') await page.goto(origin)
    await expect(page.getByRole('heading', { name: 'Documents', exact: true })).toBeVisible()
    return page
  }

  /** What the server says of itself while it runs. */
  facts(): Facts {
    return JSON.parse(readFileSync(path.join(this.data, 'server.json'), 'utf8')) as Facts
  }

  /** Waits for the server that comes after the one with this process; until then there may be no facts at all. */
  async newServer(before: number) {
    await expect(() => expect(this.facts().pid).not.toBe(before)).toPass({ timeout: 20_000 })
  }

  /** Starts the app a second time, with these arguments too; how that one ended. */
  startAgain(...args: string[]): Promise<number | null> {
    const program = createRequire(import.meta.url)('electron') as unknown as string
    const second = spawn(program, [...this.#args, ...args], { cwd: appFolder, stdio: 'ignore' })
    return new Promise((resolve) => second.once('exit', resolve))
  }

  /** Chooses an entry of the application menu by its words. */
  async choose(label: string) {
    await this.electron.evaluate(({ Menu }, wanted) => {
      type Menus = ReturnType<typeof Menu.getApplicationMenu>
      const find = (menu: Menus): Electron.MenuItem | undefined =>
        menu!.items
          .flatMap((one) => [one, ...(one.submenu ? [find(one.submenu)] : [])])
          .find((one) => one?.label === wanted)
      const found = find(Menu.getApplicationMenu())
      if (!found) throw new Error(`no entry ${wanted}`)
      found.click()
    }, label)
  }

  /** Ends the app, as its menu would; its folder stays. */
  async quit() {
    await this.electron.close()
  }

  /** Ends the server as a crash would; when this is done it has gone. */
  async crashServer() {
    const { pid } = this.facts()
    process.kill(pid, 'SIGKILL')
    const lives = () => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    await expect.poll(lives, { intervals: [10] }).toBe(false)
  }

  /** Ends the app, in whatever state a test left it, and removes its folder. */
  async remove() {
    const patience = setTimeout(() => this.electron.process().kill('SIGKILL'), 15_000)
    await this.electron.close().catch(() => {})
    clearTimeout(patience)
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Makes a document as the app's page, which main has signed in, may; its id. */
export const makeDocument = (page: Page, content: string) =>
  page.evaluate(async (content) => {
    const response = await fetch('/api/documents', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'On proofs', content }),
    })
    return ((await response.json()) as { data: { id: string } }).data.id
  }, content)

export const openWindows = ({ electron }: DesktopApp) =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

/** Closes every window, as a person does, and waits until they have gone: their pages may save before. */
export async function closeAllWindows(app: DesktopApp) {
  await app.electron.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
  await expect.poll(() => openWindows(app)).toBe(0)
}

export const newFolder = () => mkdtempSync(path.join(os.tmpdir(), 'galley-desktop-'))

/** Gives each test of a file a folder of its own. The folder goes with the app that the test has started in it. */
export function useOwnFolder() {
  const own = { folder: '', app: undefined as DesktopApp | undefined }
  test.beforeAll(sayWhichElectron)
  test.beforeEach(() => {
    own.folder = newFolder()
  })
  test.afterEach(async () => {
    await own.app?.remove()
    own.app = undefined
    rmSync(own.folder, { recursive: true, force: true })
  })
  return {
    /** A path in the folder. */
    at: (...names: string[]) => path.join(own.folder, ...names),
    async start(options: Omit<StartOptions, 'folder'> = {}) {
      return (own.app = await DesktopApp.start({ ...options, folder: own.folder }))
    },
    /** The one that was started last. */
    app: () => own.app!,
  }
}

let display: Promise<string | undefined> | undefined
let xvfb: ChildProcess | undefined
process.once('exit', () => xvfb?.kill())

/** The fake needs no display. Electron’s binary gets one of its own on a Linux machine that has none. */
async function findDisplay(): Promise<{ DISPLAY?: string }> {
  if (!isReal || process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return {}
  display ??= new Promise((resolve, reject) => {
    xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    xvfb.once('error', () => reject(new Error('Electron needs a display; install Xvfb or set DISPLAY')))
    xvfb.stdio[3]!.once('data', (number: Buffer) => resolve(`:${number.toString().trim()}`))
  })
  const found = await display
  return found === undefined ? {} : { DISPLAY: found }
}

/** A server that isn’t the app’s, and what was asked of it. */
export class Elsewhere {
  readonly asked: string[] = []
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      this.asked.push(request.url!)
      if (request.url === '/redirect') response.writeHead(302, { location: '/landed' }).end()
      else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>')
    })
  }

  static async start() {
    const elsewhere = new Elsewhere()
    await new Promise<void>((resolve) => elsewhere.#server.listen(0, '127.0.0.1', resolve))
    return elsewhere
  }

  get url() {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop() {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** Collects what would have left the app, instead of letting it. */
export async function holdBack({ electron }: DesktopApp): Promise<() => Promise<string[]>> {
  await electron.evaluate(({ shell }) => {
    const left: string[] = []
    ;(globalThis as { left?: string[] }).left = left
    shell.openExternal = async (url) => void left.push(url)
    shell.openPath = async (file) => {
      left.push(file)
      return ''
    }
  })
  return () => electron.evaluate(() => (globalThis as { left?: string[] }).left!)
}
