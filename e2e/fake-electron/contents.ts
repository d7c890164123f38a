// One page of Chromium's as Electron's `webContents`.
import { EventEmitter } from 'node:events'
import type { ProtocolAnswer } from './chromium.ts'
import { Navigations, type WindowOpenHandler } from './navigations.ts'
import { PageMessages, type BindingCall } from './page-messages.ts'
import { session, type Session } from './sessions.ts'
import { appEvents, getChromium, mayGoOn, newEvent } from './state.ts'
import { confined, type WebPreferences } from './web-preferences.ts'
import { setZoomLevelOf, zoomLevelOf } from './zoom-levels.ts'

let lastId = 0

export class WebContents extends EventEmitter {
  readonly id = ++lastId
  readonly session: Session
  readonly mainFrame: {
    readonly url: string
    readonly origin: string
    readonly parent: null
  }
  _targetId: string | undefined
  /** What the rest of the program holds: this object behind `strict`. */
  _self: this = this
  /** Resolves when the page is there. */
  readonly _opened: Promise<void>
  readonly #preferences: ReturnType<typeof confined>
  readonly #messages: PageMessages
  readonly #navigations: Navigations
  #url = ''
  #title = ''
  #status = 200
  #dead = false
  /** Whether the page has objected to the last attempt to close it. */
  #objects = false
  #loading: string | undefined
  #frameId: string | undefined
  #cdpSession: string | undefined

  constructor(preferences: WebPreferences, size: { width: number; height: number }) {
    super()
    this.#preferences = confined(preferences)
    this.session = preferences.session ?? session.fromPartition(preferences.partition ?? '')
    const current = () => this.#url
    this.mainFrame = Object.freeze({
      get url() {
        return current()
      },
      get origin() {
        return URL.parse(current())?.origin ?? 'null'
      },
      parent: null,
    })
    const isGone = () => this.#dead
    this.#messages = new PageMessages({
      preload: preferences.preload,
      send: (method, params) => this.#send(method, params),
      emit: (name, ...args) => void this.emit(name, ...args),
      sender: () => ({ sender: this._self, senderFrame: this.mainFrame }),
      isGone,
    })
    this.#navigations = new Navigations({
      contents: this,
      frameId: () => this.#frameId,
      loading: () => this.#loading,
      isGone,
    })
    this._opened = this.#open(size)
    this._opened.catch((error: unknown) => {
      if (!this.#dead) console.error('the fake could not open a page:', error)
    })
  }

  async #open({ width, height }: { width: number; height: number }) {
    const chromium = getChromium()
    const browserContextId = await this.session._context()
    const { targetId } = (await chromium.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width,
      height,
      ...(browserContextId === undefined ? {} : { browserContextId }),
    })) as { targetId: string }
    this._targetId = targetId
    const attached = (await chromium.send('Target.attachToTarget', { targetId, flatten: true })) as {
      sessionId: string
    }
    this.#cdpSession = attached.sessionId
    chromium.on('Target.targetDestroyed', (gone: { targetId: string }) => {
      if (gone.targetId === targetId) this.#ended()
    })
    chromium.on('Target.targetInfoChanged', ({ targetInfo }) => {
      if (targetInfo.targetId === targetId) this.#title = targetInfo.title as string
    })

    const { frameTree } = (await this.#send('Page.getFrameTree')) as { frameTree: { frame: { id: string } } }
    this.#frameId = frameTree.frame.id
    this.#watchPage(attached.sessionId)
    await this.#navigations.watch(attached.sessionId)
    // Without windows no page has the focus, but in each one something is to be typed.
    await this.#send('Emulation.setFocusEmulationEnabled', { enabled: true })
    await this.#send('Runtime.enable')
    await this.#send('Network.enable')
    await this.#messages.install()
  }

  #send(method: string, params: Record<string, unknown> = {}) {
    return getChromium().send(method, params, this.#cdpSession)
  }

  #watchPage(cdpSession: string) {
    const on = (name: string, listener: (params: ProtocolAnswer) => void) =>
      getChromium().on(name, (params: ProtocolAnswer, from) => {
        if (from === cdpSession && !this.#dead) listener(params)
      })
    on(
      'Runtime.executionContextCreated',
      ({ context }: { context: { id: number; name: string; auxData: { frameId: string } } }) => {
        if (context.auxData.frameId === this.#frameId) this.#messages.notice(context)
      },
    )
    on('Runtime.bindingCalled', (call) => void this.#messages.hear(call as BindingCall))
    on(
      'Network.responseReceived',
      ({ type, frameId, response }: { type: string; frameId: string; response: { status: number } }) => {
        if (type === 'Document' && frameId === this.#frameId) this.#status = response.status
      },
    )
    on('Page.domContentEventFired', () => this.emit('dom-ready', newEvent()))
    on('Page.loadEventFired', () => this.emit('did-finish-load', newEvent()))
    on('Page.frameStartedNavigating', (started: { frameId: string; url: string; navigationType: string }) => {
      const isMainFrame = started.frameId === this.#frameId
      const isSameDocument = /same/i.test(started.navigationType)
      this.emit('did-start-navigation', newEvent({ url: started.url, isMainFrame, isSameDocument }))
    })
    on(
      'Page.frameNavigated',
      ({ frame }: { frame: { parentId?: string; url: string; unreachableUrl?: string } }) => {
        if (frame.parentId !== undefined) return
        this.#url = frame.unreachableUrl ?? frame.url
        if (frame.unreachableUrl === undefined)
          this.emit('did-navigate', newEvent(), this.#url, this.#status, '')
        else this.emit('did-fail-load', newEvent(), -2, 'ERR_FAILED', this.#url, true)
      },
    )
    on('Page.navigatedWithinDocument', ({ url, frameId }: { url: string; frameId: string }) => {
      const isMainFrame = frameId === this.#frameId
      if (isMainFrame) this.#url = url
      this.emit('did-navigate-in-page', newEvent(), url, isMainFrame)
    })
    on('Inspector.targetCrashed', () =>
      this.emit('render-process-gone', newEvent(), { reason: 'crashed', exitCode: 1 }),
    )
    on('Page.javascriptDialogOpening', ({ type }: { type: string }) => {
      if (type !== 'beforeunload') return
      const stays = mayGoOn(this, 'will-prevent-unload', newEvent())
      this.#objects = stays
      if (stays) appEvents.emit('fake-stays')
      this.#send('Page.handleJavaScriptDialog', { accept: !stays }).catch(() => {})
    })
  }

  /** Whether a page that this one has opened may be. */
  _verdict() {
    return this.#navigations.verdict()
  }

  #ended() {
    if (this.#dead) return
    this.#dead = true
    this.emit('destroyed')
  }

  send(channel: string, ...args: unknown[]) {
    this.#messages.tell(channel, args)
  }

  async loadURL(url: string) {
    await this._opened
    this.#loading = new URL(url).href
    const loaded = new Promise<void>((resolve) => this.once('did-finish-load', () => resolve()))
    try {
      const { errorText } = (await this.#send('Page.navigate', { url })) as { errorText?: string }
      if (errorText) {
        if (errorText.includes('ABORTED'))
          this.emit('did-fail-load', newEvent(), -3, 'ERR_ABORTED', url, true)
        throw new Error(`${errorText} loading '${url}'`)
      }
    } finally {
      this.#loading = undefined
    }
    await loaded
  }

  /** Closes the page, after asking it. */
  close() {
    this.#objects = false
    this._opened.then(() => this.#send('Page.close')).catch(() => {})
    // A page that is on its way elsewhere may miss the question. One that objects is asked about before that.
    const unasked = setTimeout(() => {
      if (!this.#objects) this._destroy()
    }, 2000)
    this.once('destroyed', () => clearTimeout(unasked))
  }

  _destroy() {
    this._opened
      .then(() => getChromium().send('Target.closeTarget', { targetId: this._targetId }))
      // A page that never opened has nothing to close, and one whose Chromium has gone neither.
      .catch(() => this.#ended())
  }

  /** Gives the page the room that its window has. */
  _resize({ width, height }: { width: number; height: number }) {
    void this._opened
      .then(() => getChromium().send('Browser.getWindowForTarget', { targetId: this._targetId }))
      .then(({ windowId }: { windowId: number }) =>
        getChromium().send('Browser.setWindowBounds', { windowId, bounds: { width, height } }),
      )
      .catch(() => {})
  }

  async printToPDF(options: { pageSize?: 'A4' | 'Letter' } & Record<string, unknown>) {
    const { pageSize = 'Letter', ...others } = options
    const [paperWidth, paperHeight] = pageSize === 'A4' ? [8.27, 11.7] : [8.5, 11]
    const printed = (await this.#send('Page.printToPDF', { paperWidth, paperHeight, ...others })) as {
      data: string
    }
    return Buffer.from(printed.data, 'base64')
  }

  /** Nobody answers the system's window. */
  print(_options: object, done?: (success: boolean, reason: string) => void) {
    setTimeout(() => done?.(false, 'Print job canceled'))
  }

  setWindowOpenHandler(handler: WindowOpenHandler) {
    this.#navigations.windowOpenHandler = handler
  }

  async executeJavaScript(expression: string): Promise<unknown> {
    await this._opened
    const params = { expression, awaitPromise: true, returnByValue: true, userGesture: true }
    const { result, exceptionDetails } = (await this.#send('Runtime.evaluate', params)) as {
      result: { value: unknown }
      exceptionDetails?: { exception?: { description?: string }; text: string }
    }
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  getLastWebPreferences() {
    return { ...this.#preferences }
  }

  get zoomLevel() {
    return zoomLevelOf(this.#url)
  }
  set zoomLevel(level: number) {
    setZoomLevelOf(this.#url, level)
  }

  getURL() {
    return this.#url
  }

  getTitle() {
    return this.#title
  }

  isDestroyed() {
    return this.#dead
  }

  forcefullyCrashRenderer() {
    this.#send('Page.crash').catch(() => {})
  }
}
