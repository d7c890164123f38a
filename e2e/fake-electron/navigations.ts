// Where a page and the frames in it want to go, and what they want to open: held back until the app has decided.
import type { EventEmitter } from 'node:events'
import type { ProtocolAnswer } from './chromium.ts'
import type { Session } from './sessions.ts'
import { getChromium, mayGoOn, newEvent } from './state.ts'

type Action = 'allow' | 'deny'

export type WindowOpenHandler = (details: {
  url: string
  frameName: string
  features: string
  disposition: string
}) => { action: Action }

export interface NavigatingPage {
  /** The page's `webContents`: as it is, and as the rest of the program holds it. */
  contents: EventEmitter & { session: Session; mainFrame: object; _self: unknown }
  frameId(): string | undefined
  /** The address that the app itself is loading. */
  loading(): string | undefined
  isGone(): boolean
}

interface Paused {
  requestId: string
  request: { url: string }
  frameId: string
  redirectedRequestId?: string
}

interface Opened {
  url: string
  windowName: string
  windowFeatures: string[]
}

export class Navigations {
  readonly #page: NavigatingPage
  windowOpenHandler: WindowOpenHandler = () => ({ action: 'allow' })
  readonly #verdicts: Action[] = []
  #verdictWanted: ((verdict: Action) => void) | undefined

  constructor(page: NavigatingPage) {
    this.#page = page
  }

  /** Watches the page, or a frame with a process of its own; what it starts waits from now on. */
  async watch(cdpSession: string) {
    const chromium = getChromium()
    const send = (method: string, params: Record<string, unknown> = {}) =>
      chromium.send(method, params, cdpSession)
    const on = (name: string, listener: (params: ProtocolAnswer) => void) =>
      chromium.on(name, (params: ProtocolAnswer, from) => {
        if (from === cdpSession && !this.#page.isGone()) listener(params)
      })
    on('Fetch.requestPaused', (paused: Paused) => {
      void this.#decide(paused).then((goesOn) =>
        (goesOn
          ? send('Fetch.continueRequest', { requestId: paused.requestId })
          : send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Aborted' })
        ).catch(() => {}),
      )
    })
    on('Page.windowOpen', (opened: Opened) => this.#decideWindow(opened))
    on('Target.attachedToTarget', (child: { sessionId: string; targetInfo: { type: string } }) => {
      if (child.targetInfo.type !== 'iframe') return
      this.watch(child.sessionId)
        .then(() => chromium.send('Runtime.runIfWaitingForDebugger', {}, child.sessionId))
        .catch(() => {})
    })
    await send('Page.enable')
    await send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] })
    await send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: [{ type: 'iframe' }],
    })
  }

  async #decide({ request: { url }, frameId, redirectedRequestId }: Paused): Promise<boolean> {
    const { contents } = this.#page
    const isMainFrame = frameId === this.#page.frameId()
    const details = { url, isMainFrame, isSameDocument: false, frame: contents.mainFrame }
    let goesOn: boolean
    if (redirectedRequestId !== undefined) goesOn = mayGoOn(contents, 'will-redirect', newEvent(details), url)
    // What the app itself loads is not asked about.
    else if (isMainFrame && url === this.#page.loading()) goesOn = true
    else {
      goesOn = mayGoOn(contents, 'will-frame-navigate', newEvent(details))
      if (goesOn && isMainFrame) goesOn = mayGoOn(contents, 'will-navigate', newEvent(details), url)
    }
    if (goesOn && isMainFrame) await contents.session._applyPermissions(contents._self, url)
    return goesOn
  }

  /** Decided here; carried out when the new page, which waits, is seen. */
  #decideWindow(opened: Opened) {
    const { action } = this.windowOpenHandler({
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
  verdict(): Promise<Action> {
    const verdict = this.#verdicts.shift()
    if (verdict) return Promise.resolve(verdict)
    return new Promise((resolve) => (this.#verdictWanted = resolve))
  }
}
