import { ChangeSet } from '@codemirror/state'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { WebSocket as Socket } from 'ws'
import { ApiError, createClientOf, newIdempotencyKey } from '../../api/client-of.ts'
import { LiveConnection } from '../../api/live.ts'
import { routes } from '../../../server/contract/routes.ts'
import type { Document } from '../../../server/contract/records/documents.ts'
import type { Updates } from '../../../server/contract/records/changes.ts'
import { pushedBy } from '../../../server/domain/outgoing-change.ts'
import { textOf } from '../../../server/domain/shared-text.ts'
import { OpenDocument, type DocumentNotice } from '../open-document.svelte.ts'
import { Saver } from '../saver.svelte.ts'
import { TextFollower } from '../text-follower.ts'
import { Hand } from './hand.ts'

// The renderer's tests load modules as a browser does, for which this one is a stub.
const require = createRequire(import.meta.url)
const library = path.join(path.dirname(require.resolve('ws/package.json')), 'index.js')
const { WebSocket: NodeSocket } = require(library) as { WebSocket: typeof Socket }

interface Options {
  /** Where the server is. */
  base: string
  document: string
  /** A share link’s token, or an API key. */
  as: { token: string } | { key: string }
}

/** What a network may do to what is sent next. */
export interface NetworkTrouble {
  /** So many answers get lost, though what was asked has been done. */
  lost: number
  /** So many changes arrive twice. */
  doubled: number
}

/** Somebody who writes in a text that others write in too: all of the app’s editor but its picture. */
export class Writer {
  readonly notices: DocumentNotice[] = []
  readonly trouble: NetworkTrouble = { lost: 0, doubled: 0 }
  readonly saver: Saver
  readonly #open: OpenDocument
  readonly #line: LiveConnection
  readonly #follower: TextFollower
  readonly #sockets = new Set<Socket>()
  readonly #swallowed = new WeakSet<Socket>()
  readonly #jar: Jar
  #held: (() => void)[] | null = null

  static async open(options: Options): Promise<Writer> {
    const jar = new Jar(options)
    const document = await jar.api.call('getDocument', { params: { id: options.document } })
    return new Writer(options, jar, document)
  }

  private constructor({ base }: Options, jar: Jar, document: Document) {
    this.#jar = jar
    jar.trouble = this.trouble
    const { api } = jar
    const params = { id: document.id }
    const client = newIdempotencyKey()
    const open = (this.#open = new OpenDocument({
      document,
      load: () => api.call('getDocument', { params }),
      arrive: (bring) => bring(),
      onAnew: () => this.#follower.again(),
      onNotice: (notice) => this.notices.push(notice),
    }))
    const { text } = open
    const missed = () => api.call('listChanges', { params, query: { since: text.revision, client } })
    this.saver = new Saver({
      text,
      isRenamed: () => open.isRenamed,
      push: async (change, { keepalive }): Promise<Updates> => {
        const body = pushedBy(client, change)
        const answer = await this.#follower.push(body)
        if (answer) return answer
        const updates = await api.call('pushChange', { params, body, keepalive })
        this.#follower.pushedElsewhere()
        return updates
      },
      rename: () => Promise.resolve(true),
      missed,
      receive: (updates) => open.receive(updates),
      rejoin: (updates) => open.rejoin(updates),
      merge: (theirs) => open.merge(theirs),
      isInCompany: () => true,
    })
    this.#line = new LiveConnection(
      `${base.replace('http', 'ws')}/api/documents/${document.id}/live${jar.query}`,
      {
        open: (url) => this.#dial(url),
      },
    )
    this.#follower = new TextFollower({
      ...{ line: this.#line, client },
      revision: () => text.revision,
      receive: (updates, isAll) => this.saver.receive(updates, isAll),
      catchUp: async () => {
        try {
          this.saver.receive(await missed())
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 412) throw error
          open.merge(error.data as Document)
          if (this.saver.dirty) this.saver.changed()
        }
      },
      onPeople: () => {},
      onCursors: () => {},
    })
  }

  get content(): string {
    return this.#open.text.stored
  }
  /** As it is shown, with line feeds; what is typed counts in this. */
  get shown(): string {
    return this.#open.text.current
  }
  get conflicts() {
    return this.#open.conflicts.open.map(({ mine, theirs }) => ({ mine, theirs }))
  }
  get revision(): number {
    return this.#open.text.revision
  }
  get isFollowing(): boolean {
    return this.#follower.isFollowing
  }
  /** How many changes were sent by calls, not over the line. */
  get calls(): number {
    return this.#jar.pushes
  }

  /** Who types in it from here on, as in an editor. */
  hand(): Hand {
    return new Hand(this.#open.text, [], () => this.saver.changed())
  }

  type(from: number, to: number, insert: string): void {
    const { text } = this.#open
    text.typed(ChangeSet.of({ from, to, insert: textOf(insert) }, text.current.length))
    this.saver.changed()
  }

  /** The connection breaks, without a word. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  /** The connection dies, and nobody is told: what is said over it gets lost, also that it ends. */
  swallow(): void {
    for (const socket of this.#sockets) {
      this.#swallowed.add(socket)
      socket.close = () => {}
    }
  }

  /** For so many milliseconds nothing comes through; what was on its way by the line arrives after that, in order. */
  stall(ms: number): void {
    this.#jar.isAway = true
    this.#held ??= []
    setTimeout(() => {
      const held = this.#held ?? []
      this.#held = null
      this.#jar.isAway = false
      for (const pass of held) pass()
    }, ms)
  }

  /** Everything that waited for a better moment is tried now. */
  comeBack(): void {
    this.#line.openNow()
    if (this.saver.dirty && !this.saver.busy) this.saver.retry()
  }

  close(): void {
    this.saver.dispose()
    this.#open.close()
    this.#follower.close()
    this.#line.close()
  }

  #dial(url: string): WebSocket {
    const socket = new NodeSocket(url, { headers: this.#jar.headers })
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => {})
    socket.prependListener('message', () => {
      if (this.trouble.lost === 0) return
      this.trouble.lost--
      socket.removeAllListeners('message')
      socket.terminate()
    })
    const listen = socket.addEventListener.bind(socket) as (
      type: string,
      listener: (event: Event) => void,
    ) => void
    socket.addEventListener = ((type: string, listener: (event: Event) => void) =>
      listen(type, (event) => {
        if (!this.#swallowed.has(socket)) this.#pass(() => listener(event))
      })) as typeof socket.addEventListener
    const sendNow = socket.send.bind(socket)
    const send = (data: string) => {
      if (!this.#swallowed.has(socket)) this.#pass(() => sendNow(data))
    }
    socket.send = ((data: string) => {
      send(data)
      if (this.trouble.doubled === 0 || !data.includes('"push"')) return
      this.trouble.doubled--
      send(data)
    }) as typeof socket.send
    return socket as unknown as WebSocket
  }

  #pass(act: () => void): void {
    if (this.#held) this.#held.push(act)
    else act()
  }
}

/** Calls with a cookie, as a browser sends it, through a network that loses and doubles. */
class Jar {
  readonly api
  readonly query: string
  trouble: NetworkTrouble = { lost: 0, doubled: 0 }
  isAway = false
  pushes = 0
  #cookie: string | undefined
  readonly #key: string | undefined

  constructor({ base, as }: Options) {
    this.#key = 'key' in as ? as.key : undefined
    this.query = 'token' in as ? `?share_token=${as.token}` : ''
    this.api = createClientOf(routes, {
      base,
      ...('token' in as ? { shareToken: as.token } : {}),
      fetch: (to, init) => this.#fetch(to as string, init),
    })
  }

  get headers(): Record<string, string> {
    return {
      ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
      ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }),
    }
  }

  async #fetch(to: string, init: RequestInit = {}): Promise<Response> {
    if (this.isAway) throw new TypeError('nothing comes through')
    const { keepalive: _, ...rest } = init
    const ask = () =>
      fetch(to, { ...rest, headers: { ...(init.headers as Record<string, string>), ...this.headers } })
    const answer = await ask()
    const [cookie] = answer.headers.getSetCookie()
    if (cookie !== undefined) this.#cookie = cookie.split(';')[0]
    const isPush = init.method === 'POST' && to.includes('/changes')
    if (isPush) this.pushes++
    if (isPush && this.trouble.doubled > 0) {
      this.trouble.doubled--
      await (await ask()).arrayBuffer()
    }
    if (this.trouble.lost > 0) {
      this.trouble.lost--
      await answer.arrayBuffer()
      throw new TypeError('the answer was lost')
    }
    return answer
  }
}
