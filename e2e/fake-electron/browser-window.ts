import { EventEmitter } from 'node:events'
import { WebContents } from './contents.ts'
import { useFocused } from './menu.ts'
import { appEvents, getChromium, mayGoOn, newEvent } from './state.ts'
import { strict } from './strict.ts'
import type { WebPreferences } from './web-preferences.ts'
import { findWindowState, rememberWindowState, type Rectangle } from './window-state.ts'

interface WindowOptions {
  name?: string
  windowStatePersistence?: boolean
  x?: number
  y?: number
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
useFocused(() => focused)

/** A window that nobody sees: what is said of it is remembered, its page is real. */
export class BrowserWindow extends EventEmitter {
  readonly id = ++lastId
  readonly webContents: WebContents
  readonly #self: this
  #background: string
  #visible: boolean
  #minimized = false
  #maximized = false
  #fullscreen = false
  #bounds: Rectangle
  readonly #name: string | undefined

  constructor({
    x,
    y,
    width = 800,
    height = 600,
    show = true,
    backgroundColor = '#FFF',
    ...rest
  }: WindowOptions = {}) {
    super()
    getChromium()
    if (rest.name !== undefined && [...windows].some((window) => window._name === rest.name))
      throw new Error(`Window with name ${rest.name} already exists`)
    this.#name = rest.windowStatePersistence ? rest.name : undefined
    const before = this.#name === undefined ? undefined : findWindowState(this.#name)
    // Without a place a window is in the middle.
    this.#bounds = before?.bounds ?? {
      x: x ?? Math.max(0, (1920 - width) / 2),
      y: y ?? Math.max(0, (1080 - height) / 2),
      width,
      height,
    }
    this.#maximized = before?.maximized ?? false
    this.#fullscreen = before?.fullscreen ?? false
    this.#visible = show
    this.#background = backgroundColor
    const contents = new WebContents(rest.webPreferences ?? {}, this.#bounds)
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
      if (windows.size === 0) appEvents.emit('fake-all-closed')
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
    else appEvents.emit('fake-stays')
  }
  /** Without asking its page. */
  destroy() {
    this.webContents._destroy()
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
    appEvents.emit('browser-window-focus', newEvent(), this.#self)
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
    if (this.#maximized || this.#fullscreen) return { x: 0, y: 0, width: 1920, height: 1080 }
    return { ...this.#bounds }
  }
  setBounds(bounds: Partial<Rectangle>) {
    this.#bounds = { ...this.#bounds, ...bounds }
    this.webContents._resize(this.#bounds)
    this.#remember()
    this.emit('resize')
  }
  maximize() {
    this.#maximized = true
    this.#remember()
    this.emit('maximize')
  }
  unmaximize() {
    this.#maximized = false
    this.#remember()
    this.emit('unmaximize')
  }
  isMaximized() {
    return this.#maximized
  }
  setFullScreen(fullscreen: boolean) {
    this.#fullscreen = fullscreen
    this.#remember()
    this.emit(fullscreen ? 'enter-full-screen' : 'leave-full-screen')
  }
  isFullScreen() {
    return this.#fullscreen
  }
  #remember() {
    if (this.#name === undefined) return
    rememberWindowState(this.#name, {
      bounds: this.#bounds,
      maximized: this.#maximized,
      fullscreen: this.#fullscreen,
    })
  }
  get _name() {
    return this.#name
  }
  setProgressBar(_fraction: number) {
    // There is no task bar to draw it on.
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
