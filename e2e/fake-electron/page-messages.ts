// What a page's preload and the main process say to each other, and what a person does in the page that the main
// process answers for: keys that it leaves unhandled, clicks that want a menu.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ProtocolAnswer } from './chromium.ts'
import { ipcMain } from './ipc-main.ts'
import { Menu, type Key } from './menu.ts'
import { installWorld } from './page-world.js'
import { copied, newEvent } from './state.ts'

export interface SpeakingPage {
  preload: string | undefined
  /** A command of the debugging protocol to the page. */
  send(method: string, params?: Record<string, unknown>): Promise<ProtocolAnswer>
  /** Lets listeners to the page's `webContents` know. */
  emit(name: string, ...args: unknown[]): void
  /** Whom a message is from. */
  sender(): { sender: unknown; senderFrame: unknown }
  isGone(): boolean
}

export interface BindingCall {
  name: string
  payload: string
  executionContextId: number
}

interface Said {
  kind: 'send' | 'invoke' | 'key' | 'context-menu' | 'preload-error'
  id: number
  channel: string
  args: unknown[]
  message: string
}

/** With bytes as text, which JSON can carry; the page's side reads them back. */
function withoutBytes(value: unknown, mark: string): unknown {
  if (value instanceof Uint8Array) return { [mark]: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map((one) => withoutBytes(one, mark))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutBytes(member, mark)]))
}

export class PageMessages {
  readonly #page: SpeakingPage
  /** Names the preload's world and what is put into it, so that no page can guess it. */
  readonly #key = `w${randomBytes(8).toString('hex')}`
  #world: number | undefined

  constructor(page: SpeakingPage) {
    this.#page = page
  }

  /** Sees to it that both sides run in each new document before the document's own scripts. */
  async install() {
    await this.#putInto('page', '')
    await this.#page.send('Runtime.addBinding', { name: this.#key, executionContextName: this.#key })
    const { preload } = this.#page
    if (preload !== undefined) await this.#putInto('preload', readFileSync(preload, 'utf8'))
  }

  async #putInto(side: 'page' | 'preload', preload: string) {
    const settings = JSON.stringify({ side, key: this.#key, platform: process.platform })
    const preloadText = `function (require, process, module, exports) {\n${preload}\n}`
    await this.#page.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `(${installWorld.toString()})(${settings}, ${preloadText})`,
      ...(side === 'preload' ? { worldName: this.#key } : {}),
    })
  }

  /** The page's main frame has a new world. */
  notice({ id, name }: { id: number; name: string }) {
    if (name === this.#key) this.#world = id
  }

  /** Something was said through a binding; only the preload's own counts. */
  async hear({ name, payload, executionContextId }: BindingCall) {
    if (name !== this.#key || executionContextId !== this.#world) return
    const said = JSON.parse(payload) as Said
    if (said.kind === 'send' || said.kind === 'invoke') await this.#pass(said)
    else this.#do(said)
  }

  #do({ kind, args, message }: Said) {
    if (kind === 'key') Menu.getApplicationMenu()?._press(args[0] as Key)
    if (kind === 'context-menu')
      this.#page.emit('context-menu', newEvent(), { ...(args[0] as object), frame: null })
    if (kind === 'preload-error') {
      console.error(`Unable to load preload script: ${this.#page.preload}\n${message}`)
      this.#page.emit('preload-error', newEvent(), this.#page.preload, new Error(message))
    }
  }

  async #pass({ kind, id, channel, args }: Said) {
    const event = newEvent({ type: 'frame', ...this.#page.sender(), processId: 1, frameId: 1 })
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

  /** Says something to the preload. */
  tell(channel: string, args: unknown[]) {
    this.#deliver({ kind: 'event', channel, args: copied(`what ${channel} carries`, args) })
  }

  #deliver(message: object) {
    if (this.#page.isGone() || this.#world === undefined) return
    const written = JSON.stringify(withoutBytes(message, `${this.#key}bytes`))
    const expression = `globalThis['${this.#key}deliver'](${written})`
    this.#page.send('Runtime.evaluate', { expression, contextId: this.#world }).catch(() => {})
  }
}
