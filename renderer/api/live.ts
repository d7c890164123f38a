import { backOff } from '../../server/platform/back-off.ts'
import {
  liveCodes,
  type LiveHeard,
  type LiveMessage,
  type LiveSaying,
  type LiveText,
} from '../../server/contract/live.ts'

/** What of a browser’s WebSocket matters here. */
export type LiveSocket = Pick<WebSocket, 'send' | 'close' | 'addEventListener' | 'readyState'>

/** What a page hears; how far it has heard is between the connection and the server. */
type Heard = Exclude<LiveHeard, { type: 'told' }>
interface Told {
  since?: string
}

/** A connection as whoever follows a text uses it. */
export interface TextLine {
  readonly connected: boolean
  say(saying: LiveSaying): void
  /** Has its follower told what is said of the text; returns what stops that. There is one at a time. */
  followText(follower: TextFollower): () => void
  reopen(): void
  /** Finds out whether anything comes through a connection that stands; if not, another is tried. */
  doubt(): void
  revive(): void
}
interface TextFollower {
  /** What isn’t understood, from a newer server, is passed over. */
  hear(message: LiveText): void
  /** The connection came or went. */
  turn(connected: boolean): void
}

export interface LiveOptions {
  onMessage?: (message: Heard) => void
  /**
   * The connection came or went: from here on more, or less, has to be asked for. What changed while there was none
   * is told once it is back; only what changed before the first was not heard.
   */
  onState?: (connected: boolean) => void
  /** How somebody who came by a link wants to be called. */
  name?: () => string
  open?: (url: string) => LiveSocket
}

/** How often to ask while a live connection says what there is to ask for: only in case it is dead unnoticed. */
export const slowPolling = 60_000
/** `WebSocket.OPEN` */
const isOpen = 1
const pauses = { first: 1_000, longest: 60_000 }
/** In milliseconds: a try that isn’t answered by then never will be, while the browser goes on waiting for minutes. */
const opensWithin = 15_000
/**
 * In milliseconds: what isn’t answered by then goes another way, and its connection is taken for dead; and so often it is
 * asked whether anything comes through.
 */
export const answerWithin = 5_000
const asksEvery = 20_000

/**
 * Hears what changes on the server, over a WebSocket that is opened again whenever it breaks: after 1 s, then after
 * longer and longer pauses up to a minute, and at once when the page is looked at or the network is back. One is there
 * once the server has answered over it, and as long as it does: some proxies let it be opened, and nothing through.
 * Whoever follows must still ask now and then: where no WebSocket comes through, nothing is ever heard.
 */
export class LiveConnection implements TextLine {
  connected = false
  /** The server has said that nothing will be heard any more: the credential or the document is gone. */
  ended = false
  readonly #options: LiveOptions
  readonly #url: string
  #socket: LiveSocket | null = null
  /** Of the next try, of asking whether this one is alive, or of giving it up. */
  #timer: ReturnType<typeof setTimeout> | undefined
  /** So many tries in a row have failed. */
  #failures = 0
  #over = false
  #follower: TextFollower | null = null
  /** How far all has been heard. */
  #since: string | null = null
  /** Doesn’t wait any longer with the next try: there is reason to think that the server answers. */
  readonly openNow = (): void => {
    if (this.#socket === null && globalThis.document?.visibilityState !== 'hidden') this.#open()
  }

  constructor(url: string, options: LiveOptions = {}) {
    this.#options = options
    this.#url = url
    globalThis.addEventListener?.('online', this.openNow)
    globalThis.document?.addEventListener('visibilitychange', this.openNow)
    this.#open()
  }

  /** Says how the reader wants to be called. */
  greet(): void {
    const name = this.#options.name?.().trim()
    if (name !== undefined) this.say({ name })
  }

  /** What is said while there is no connection is said to nobody. */
  say(saying: LiveSaying): void {
    // One that is being closed takes nothing any more, and is gone in a moment.
    if (this.#socket?.readyState === isOpen) this.#socket.send(JSON.stringify(saying))
  }

  followText(follower: TextFollower): () => void {
    this.#follower = follower
    if (this.connected) follower.turn(true)
    return () => {
      if (this.#follower === follower) this.#follower = null
    }
  }

  /** What had ended it is over: the server has let in whoever this is for by another way. */
  revive(): void {
    if (!this.ended) return
    this.#over = this.ended = false
    this.#open()
  }

  /**
   * Comes anew, as whoever they are by now, or since nothing is heard any more. A connection that died without a word says
   * nothing of its end either, or minutes later: that isn’t waited for.
   */
  reopen(): void {
    if (!this.#socket) return
    this.#letGo()
    this.#open()
  }

  doubt(): void {
    this.#giveUpIn(answerWithin)
    this.say({ type: 'ping' })
  }

  close(): void {
    this.#over = true
    clearTimeout(this.#timer)
    globalThis.removeEventListener?.('online', this.openNow)
    globalThis.document?.removeEventListener('visibilitychange', this.openNow)
    this.#socket?.close()
  }

  #open(): void {
    clearTimeout(this.#timer)
    if (this.#over) return
    const { open = dial, onMessage } = this.#options
    let socket: LiveSocket
    try {
      socket = open(this.#address())
    } catch {
      return this.#again()
    }
    this.#socket = socket
    this.#giveUpIn(opensWithin)
    const isOver = () => socket !== this.#socket
    socket.addEventListener('open', () => {
      if (isOver()) return
      if (this.#options.name?.().trim()) this.greet()
      this.doubt()
    })
    socket.addEventListener('message', ({ data }: MessageEvent) => {
      const message = isOver() ? null : read(data)
      if (!message) return
      if (message.type === 'pong') return this.#isAlive()
      if (!isHeard(message)) return this.#follower?.hear(message)
      if (message.type !== 'told') onMessage?.(message)
      // Only what was heard whole is heard.
      this.#since = (message as Told).since ?? this.#since
    })
    socket.addEventListener('close', ({ code }: CloseEvent) => {
      if (isOver()) return
      this.#socket = null
      // Nothing will mend it; whoever asks next is told why.
      if (code === liveCodes.unauthorized || code === liveCodes.notFound) this.#over = this.ended = true
      // Others needed the room: coming back at once would take it from the next.
      if (code === liveCodes.replaced) this.#failures = Infinity
      this.#set(false)
      this.#again()
    })
  }

  #isAlive(): void {
    this.#after(asksEvery, () => this.doubt())
    this.#failures = 0
    this.#set(true)
  }

  #giveUpIn(time: number): void {
    this.#after(time, () => {
      this.#letGo()
      this.#again()
    })
  }

  #after(time: number, act: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(act, time)
  }

  /** What is still heard of it isn’t listened to. */
  #letGo(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.close()
    this.#set(false)
  }

  /** Where to come back to: the server tells what was missed. */
  #address(): string {
    if (this.#since === null) return this.#url
    return `${this.#url}${this.#url.includes('?') ? '&' : '?'}since=${encodeURIComponent(this.#since)}`
  }

  #again(): void {
    if (this.#over) return
    const wait = backOff(this.#failures++, { ...pauses, random: Math.random })
    this.#after(wait, () => this.#open())
  }

  #set(connected: boolean): void {
    if (this.connected === connected) return
    this.connected = connected
    this.#options.onState?.(connected)
    this.#follower?.turn(connected)
  }
}

function dial(url: string): WebSocket {
  const address = new URL(url, location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  return new WebSocket(address)
}

const heardTypes: readonly LiveMessage['type'][] = [
  'changed',
  'everything',
  'told',
  'present',
  'sharing',
  'problems',
] satisfies LiveHeard['type'][]
const isHeard = (message: LiveMessage): message is LiveHeard => heardTypes.includes(message.type)

function read(data: unknown): LiveMessage | null {
  try {
    return JSON.parse(String(data)) as LiveMessage | null
  } catch {
    return null
  }
}
