import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { BrowserWindow, watchOpenedPages } from './browser-window.ts'
import { launchChromium, type Chromium } from './chromium.ts'
import { appEvents, mayGoOn, newEvent, useChromium, useProfile } from './state.ts'
import { strict } from './strict.ts'

export interface AppToRun {
  appPath: string
  name: string
  version: string
  loadMain: () => Promise<unknown>
}

type PathName = 'documents' | 'home' | 'appData' | 'userData' | 'temp' | 'exe' | 'crashDumps'

class Application extends EventEmitter {
  readonly isPackaged = false
  readonly commandLine = { appendSwitch() {}, hasSwitch: () => false }
  _running: AppToRun | undefined
  _chromium: Chromium | undefined
  #ready = Promise.withResolvers<void>()
  #isReady = false
  #quitting = false
  #ended = false
  readonly #paths: Partial<Record<PathName, string>> = {}
  #lock: net.Server | undefined

  get #app() {
    if (!this._running) throw new Error('nothing runs yet')
    return this._running
  }

  whenReady() {
    return this.#ready.promise
  }
  isReady() {
    return this.#isReady
  }
  getName() {
    return this.#app.name
  }
  getVersion() {
    return this.#app.version
  }
  getLocale() {
    return 'en-US'
  }
  getPreferredSystemLanguages() {
    return ['en-US']
  }
  /** Linux keeps no such list. */
  clearRecentDocuments() {}
  getLocaleCountryCode() {
    return 'DE'
  }
  getAppPath() {
    return this.#app.appPath
  }

  getPath(name: PathName): string {
    const home = os.homedir()
    const appData = process.env.XDG_CONFIG_HOME ?? path.join(home, '.config')
    const usual: Record<PathName, string> = {
      documents: path.join(home, 'Documents'),
      home,
      appData,
      userData: path.join(appData, this.getName()),
      temp: os.tmpdir(),
      exe: process.execPath,
      crashDumps: path.join(appData, this.getName(), 'Crashpad'),
    }
    const found = this.#paths[name] ?? usual[name]
    if (found === undefined) throw new Error(`Failed to get '${name}' path`)
    return found
  }
  setPath(name: PathName, folder: string) {
    this.#paths[name] = folder
  }

  /** One app per profile. A later one tells the first what it was started with, through a socket. */
  requestSingleInstanceLock(data: Record<string, unknown> = {}) {
    const profile = this.getPath('userData')
    const name = createHash('sha256').update(profile).digest('hex').slice(0, 16)
    const socket = path.join(os.tmpdir(), `galley-fake-electron-${name}.sock`)
    const facts = JSON.stringify([process.argv, process.cwd(), data])
    const tell = `const c = require('net').connect(${JSON.stringify(socket)})
      c.on('connect', () => c.end(${JSON.stringify(facts)})).on('close', () => process.exit()).on('error', () => process.exit(3))`
    if (existsSync(socket) && spawnSync(process.execPath, ['-e', tell]).status === 0) return false
    rmSync(socket, { force: true })
    this.#lock = net
      .createServer((later) => {
        let told = ''
        later.on('data', (chunk) => (told += chunk.toString()))
        later.on('end', () => {
          const [argv, folder, theirs] = JSON.parse(told) as [string[], string, unknown]
          this.emit('second-instance', newEvent(), argv, folder, theirs)
        })
      })
      .listen(socket)
      .unref()
    return true
  }
  releaseSingleInstanceLock() {
    this.#lock?.close()
    this.#lock = undefined
  }
  hasSingleInstanceLock() {
    return this.#lock !== undefined
  }

  quit() {
    if (this.#quitting) return
    if (!mayGoOn(this, 'before-quit', newEvent())) return
    this.#quitting = true
    const open = BrowserWindow.getAllWindows()
    if (open.length === 0) return this.#endUnlessPrevented()
    for (const window of open) window.close()
  }
  #endUnlessPrevented() {
    if (mayGoOn(this, 'will-quit', newEvent())) this.exit(0)
    else this.#quitting = false
  }
  exit(code = 0) {
    if (this.#ended) return
    this.#ended = true
    this.emit('quit', newEvent(), code)
    this.#lock?.close()
    void Promise.resolve(this._chromium?.close()).finally(() => process.exit(code))
  }
  _allWindowsClosed() {
    if (this.#quitting) this.#endUnlessPrevented()
    else if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed')
    else this.quit()
  }
  /** A window stays open: nothing quits then. */
  _stay() {
    this.#quitting = false
  }
  get _hasEnded() {
    return this.#ended
  }
  _becomeReady() {
    this.#isReady = true
    this.emit('will-finish-launching')
    this.emit('ready', newEvent(), {})
    this.#ready.resolve()
  }
}

const application = new Application()
export const app = strict('app', application)

for (const name of [
  'session-created',
  'web-contents-created',
  'browser-window-created',
  'browser-window-focus',
])
  appEvents.on(name, (...args: unknown[]) => void application.emit(name, ...args))
appEvents.on('fake-all-closed', () => application._allWindowsClosed())
appEvents.on('fake-stays', () => application._stay())

/** Runs the app's main file, and then, unless it has ended by itself, opens Chromium and is ready. */
export async function start(running: AppToRun) {
  application._running = running
  await running.loadMain()
  if (application._hasEnded) return
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit())
  useProfile(app.getPath('userData'))
  const profile = path.join(app.getPath('userData'), 'Chromium')
  mkdirSync(profile, { recursive: true })
  const chromium = await launchChromium(profile)
  application._chromium = chromium
  useChromium(chromium)
  await watchOpenedPages()
  application._becomeReady()
}
