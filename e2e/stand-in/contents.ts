// One page of Chromium's, played as Electron's `webContents`.
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Answer } from './chromium.ts'
import { ipcMain } from './ipc-main.ts'
import { installWorld } from './page-world.js'
import { session, type Session } from './sessions.ts'
import { appEvents, copied, getChromium, mayGoOn, newEvent } from './state.ts'

export interface WebPreferences {
  preload?: string
  partition?: string
  session?: Session
  contextIsolation?: boolean
  sandbox?: boolean
  nodeIntegration?: boolean
  nodeIntegrationInSubFrames?: boolean
  nodeIntegrationInWorker?: boolean
  webSecurity?: boolean
  webviewTag?: boolean
  spellcheck?: boolean
}

type WindowOpenHandler = (details: {
  url: string
  frameName: string
  features: string
  disposition: string
}) => {
  action: 'allow' | 'deny'
}

interface FrameMessage {
  kind: 'send' | 'invoke' | 'preload-error'
  id: number
  channel: string
  args: unknown[]
  message: string
}

/** What Electron's windows are by default, and what this one can play: nothing less confined. */
function confined(asked: WebPreferences) {
  const preferences = {
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: true,
    ...asked,
  }
  const { contextIsolation, sandbox, webSecurity, ...rest } = preferences
  if (!contextIsolation || !sandbox || !webSecurity)
    throw new Error(
      'the stand-in plays sandboxed, isolated pages only (sandbox, contextIsolation, webSecurity)',
    )
  if (rest.nodeIntegration || rest.nodeIntegrationInSubFrames || rest.nodeIntegrationInWorker)
    throw new Error('the stand-in plays pages without Node only')
  return preferences
}

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
  readonly #key = `w${randomBytes(8).toString('hex')}`
  #url = ''
  #title = ''
  #dead = false
  /** Whether the page has objected to the last attempt to close it. */
  #objects = false
  #loading: string | undefined
  #frameId: string | undefined
  #cdpSession: string | undefined
  #preloadWorld: number | undefined
  #windowOpenHandler: WindowOpenHandler = () => ({ action: 'allow' })
  readonly #verdicts: ('allow' | 'deny')[] = []
  #verdictWanted: ((verdict: 'allow' | 'deny') => void) | undefined

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
    this._opened = this.#open(size)
    this._opened.catch((error: unknown) => {
      if (!this.#dead) console.error('the stand-in could not open a page:', error)
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
    await this.#watchFrames(attached.sessionId)
    // Without windows no page has the focus, but in each one something is to be typed.
    await this.#send('Emulation.setFocusEmulationEnabled', { enabled: true })
    await this.#send('Runtime.enable')
    await this.#putInto('page', '')
    await this.#send('Runtime.addBinding', { name: this.#key, executionContextName: this.#key })
    const { preload } = this.#preferences
    if (preload !== undefined) await this.#putInto('preload', readFileSync(preload, 'utf8'))
  }

  /** Sees to it that one of the two sides runs in each new document before the document's own scripts. */
  async #putInto(side: 'page' | 'preload', preload: string) {
    const settings = JSON.stringify({ side, key: this.#key, platform: process.platform })
    const preloadText = `function (require, process, module, exports) {\n${preload}\n}`
    await this.#send('Page.addScriptToEvaluateOnNewDocument', {
      source: `(${installWorld.toString()})(${settings}, ${preloadText})`,
      ...(side === 'preload' ? { worldName: this.#key } : {}),
    })
  }

  #send(method: string, params: Record<string, unknown> = {}, cdpSession = this.#cdpSession) {
    return getChromium().send(method, params, cdpSession)
  }

  #watchPage(cdpSession: string) {
    const on = (name: string, listener: (params: Answer) => void) =>
      getChromium().on(name, (params: Answer, from) => {
        if (from === cdpSession && !this.#dead) listener(params)
      })
    on(
      'Runtime.executionContextCreated',
      ({ context }: { context: { id: number; name: string; auxData: { frameId: string } } }) => {
        if (context.name === this.#key && context.auxData.frameId === this.#frameId)
          this.#preloadWorld = context.id
      },
    )
    on(
      'Runtime.bindingCalled',
      (call: { name: string; payload: string; executionContextId: number }) =>
        void this.#hear(call.name, call.executionContextId, call.payload),
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
        if (frame.unreachableUrl === undefined) this.emit('did-navigate', newEvent(), this.#url, 200, '')
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
      if (stays) appEvents.emit('stand-in-stays')
      this.#send('Page.handleJavaScriptDialog', { accept: !stays }).catch(() => {})
    })
  }

  /** Holds navigations back until they have been decided on; in the page, and in frames with a process of their own. */
  async #watchFrames(cdpSession: string) {
    const chromium = getChromium()
    chromium.on('Fetch.requestPaused', (paused: Answer, from) => {
      if (from === cdpSession && !this.#dead) void this.#decideNavigation(paused, cdpSession)
    })
    chromium.on('Page.windowOpen', (opened: Answer, from) => {
      if (from === cdpSession && !this.#dead) this.#decideWindow(opened)
    })
    chromium.on(
      'Target.attachedToTarget',
      (child: { sessionId: string; targetInfo: { type: string } }, from) => {
        if (from !== cdpSession || child.targetInfo.type !== 'iframe') return
        void this.#watchFrames(child.sessionId)
          .then(() => this.#send('Runtime.runIfWaitingForDebugger', {}, child.sessionId))
          .catch(() => {})
      },
    )
    await this.#send('Page.enable', {}, cdpSession)
    await this.#send(
      'Fetch.enable',
      { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] },
      cdpSession,
    )
    await this.#send(
      'Target.setAutoAttach',
      { autoAttach: true, waitForDebuggerOnStart: true, flatten: true, filter: [{ type: 'iframe' }] },
      cdpSession,
    )
  }

  async #decideNavigation(
    paused: {
      requestId: string
      request: { url: string }
      frameId: string
      redirectedRequestId?: string
    },
    cdpSession: string,
  ) {
    const { requestId, frameId, redirectedRequestId, request } = paused
    const { url } = request
    const isMainFrame = frameId === this.#frameId
    const details = { url, isMainFrame, isSameDocument: false, frame: this.mainFrame }
    let goesOn: boolean
    if (redirectedRequestId !== undefined) goesOn = mayGoOn(this, 'will-redirect', newEvent(details), url)
    // What the app itself loads is not asked about.
    else if (isMainFrame && url === this.#loading) goesOn = true
    else {
      goesOn = mayGoOn(this, 'will-frame-navigate', newEvent(details))
      if (goesOn && isMainFrame) goesOn = mayGoOn(this, 'will-navigate', newEvent(details), url)
    }
    if (goesOn && isMainFrame) await this.session._applyPermissions(this._self, url)
    await (
      goesOn
        ? this.#send('Fetch.continueRequest', { requestId }, cdpSession)
        : this.#send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, cdpSession)
    ).catch(() => {})
  }

  /** Decided here; carried out when the new page, which waits, is seen. */
  #decideWindow(opened: { url: string; windowName: string; windowFeatures: string[] }) {
    const { action } = this.#windowOpenHandler({
      url: opened.url,
      frameName: opened.windowName,
      features: opened.windowFeatures.join(','),
      disposition: 'foreground-tab',
    })
    if (this.#verdictWanted) this.#verdictWanted(action)
    else this.#verdicts.push(action)
    this.#verdictWanted = undefined
  }

  /** Whether a page that this one has opened may be. */
  _verdict(): Promise<'allow' | 'deny'> {
    const verdict = this.#verdicts.shift()
    if (verdict) return Promise.resolve(verdict)
    return new Promise((resolve) => (this.#verdictWanted = resolve))
  }

  async #hear(name: string, contextId: number, payload: string) {
    if (name !== this.#key || contextId !== this.#preloadWorld) return
    const { kind, id, channel, args, message } = JSON.parse(payload) as FrameMessage
    if (kind === 'preload-error') {
      console.error(`Unable to load preload script: ${this.#preferences.preload}\n${message}`)
      this.emit('preload-error', newEvent(), this.#preferences.preload, new Error(message))
      return
    }
    const event = newEvent({
      type: 'frame',
      sender: this._self,
      senderFrame: this.mainFrame,
      processId: 1,
      frameId: 1,
    })
    if (kind === 'send') {
      ipcMain.emit(channel, event, ...args)
      return
    }
    try {
      const result = copied(`the answer of ${channel}`, await ipcMain._invoke(channel, event, args))
      this.#deliver({ kind: 'answer', id, result })
    } catch (error) {
      this.#deliver({ kind: 'answer', id, error: String(error) })
    }
  }

  #deliver(message: object) {
    if (this.#dead || this.#preloadWorld === undefined) return
    const expression = `globalThis['${this.#key}deliver'](${JSON.stringify(message)})`
    this.#send('Runtime.evaluate', { expression, contextId: this.#preloadWorld }).catch(() => {})
  }

  #ended() {
    if (this.#dead) return
    this.#dead = true
    this.emit('destroyed')
  }

  send(channel: string, ...args: unknown[]) {
    this.#deliver({ kind: 'event', channel, args: copied(`what ${channel} carries`, args) })
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
    const targetId = this._targetId
    this.#objects = false
    this._opened.then(() => this.#send('Page.close')).catch(() => {})
    // A page that is on its way elsewhere may miss the question. One that objects is asked about before that.
    const unasked = setTimeout(() => {
      if (!this.#objects)
        getChromium()
          .send('Target.closeTarget', { targetId })
          .catch(() => {})
    }, 2000)
    this.once('destroyed', () => clearTimeout(unasked))
  }

  setWindowOpenHandler(handler: WindowOpenHandler) {
    this.#windowOpenHandler = handler
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
