import { EventEmitter } from 'node:events'
import { WebContents, type WebPreferences } from './contents.ts'
import { appEvents, getChromium, mayGoOn, newEvent } from './state.ts'
import { strict } from './strict.ts'

interface WindowOptions {
  width?: number
  height?: number
  minWidth?: number
  minHeight?: number
  title?: string
  show?: boolean
  backgroundColor?: string
  fullscreenable?: boolean
  maximizable?: boolean
  webPreferences?: WebPreferences
}

const windows = new Set<BrowserWindow>()
let lastId = 0
let focused: BrowserWindow | null = null

/** A window that nobody sees: what is said of it is remembered, its page is real. */
export class BrowserWindow extends EventEmitter {
  readonly id = ++lastId
  readonly webContents: WebContents
  readonly #self: this
  #background: string
  #visible: boolean
  #minimized = false
  readonly #size: { width: number; height: number }

  constructor({
    width = 800,
    height = 600,
    show = true,
    backgroundColor = '#FFF',
    ...rest
  }: WindowOptions = {}) {
    super()
    getChromium()
    this.#size = { width, height }
    this.#visible = show
    this.#background = backgroundColor
    const contents = new WebContents(rest.webPreferences ?? {}, this.#size)
    contents._self = strict('webContents', contents)
    this.webContents = contents._self
    this.#self = strict('BrowserWindow', this)
    windows.add(this.#self)
    if (show) focused = this.#self
    contents.once('did-finish-load', () => this.emit('ready-to-show', newEvent()))
    contents.once('destroyed', () => {
      windows.delete(this.#self)
      if (focused === this.#self) focused = [...windows].at(-1) ?? null
      this.emit('closed')
      if (windows.size === 0) appEvents.emit('stand-in-all-closed')
    })
    appEvents.emit('web-contents-created', newEvent(), this.webContents)
    appEvents.emit('browser-window-created', newEvent(), this.#self)
    return this.#self
  }

  loadURL(url: string) {
    return this.webContents.loadURL(url)
  }
  close() {
    if (mayGoOn(this, 'close', newEvent())) this.webContents.close()
  }
  show() {
    this.#visible = true
    this.focus()
    this.emit('show')
  }
  hide() {
    this.#visible = false
    this.emit('hide')
  }
  isVisible() {
    return this.#visible
  }
  focus() {
    focused = this.#self
    this.emit('focus')
  }
  isFocused() {
    return focused === this.#self
  }
  minimize() {
    this.#minimized = true
    if (focused === this.#self) focused = null
    this.emit('minimize')
  }
  restore() {
    this.#minimized = false
    this.emit('restore')
  }
  isMinimized() {
    return this.#minimized
  }
  isDestroyed() {
    return this.webContents.isDestroyed()
  }
  getBounds() {
    return { x: 0, y: 0, ...this.#size }
  }
  setBackgroundColor(color: string) {
    this.#background = color
  }
  getBackgroundColor() {
    return this.#background.toUpperCase()
  }
  getTitle() {
    return this.webContents.getTitle()
  }

  static getAllWindows() {
    return [...windows]
  }
  static getFocusedWindow() {
    return focused
  }
  static fromWebContents(contents: WebContents | undefined) {
    return [...windows].find((window) => window.webContents === contents) ?? null
  }
}

/** The module's own `webContents`, for finding one. */
export const webContents = strict('webContents', {
  getAllWebContents: () => [...windows].map((window) => window.webContents),
  fromDevToolsTargetId: (targetId: string) =>
    [...windows].find((window) => window.webContents._targetId === targetId)?.webContents,
})

/** Lets go, or not, of the pages that other pages open; they wait until their opener has decided. */
export async function watchOpenedPages() {
  const chromium = getChromium()
  chromium.on('Target.attachedToTarget', ({ sessionId, targetInfo, waitingForDebugger }, from) => {
    if (from !== undefined || !waitingForDebugger) return
    const opener = targetInfo.openerId as string | undefined
    const contents = opener === undefined ? undefined : webContents.fromDevToolsTargetId(opener)
    void (async () => {
      if (contents && (await contents._verdict()) === 'deny') {
        await chromium.send('Target.closeTarget', { targetId: targetInfo.targetId })
        return
      }
      await chromium.send('Runtime.runIfWaitingForDebugger', {}, sessionId as string)
      await chromium.send('Target.detachFromTarget', { sessionId })
    })().catch(() => {})
  })
  await chromium.send('Target.setDiscoverTargets', { discover: true })
  await chromium.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: true,
    flatten: true,
    filter: [{ type: 'page' }, { type: 'tab', exclude: true }],
  })
}
