import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { followAccount, followDocument, isThere } from '../actions/follow.ts'
import { instant } from '../actions/instant.ts'
import { missedNews, newsOf } from '../actions/news.ts'
import { begin } from '../actions/run.ts'
import { isGuest, type Principal } from '../actions/principal.ts'
import type { AccountTask, DocumentTask } from '../actions/task.ts'
import { forbidden, GalleyError, invalid, notFound } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { liveCodes, liveLimits, liveUrls, type LiveMessage } from '../contract/live.ts'
import { liveDocument, liveOwner } from '../contract/routes/live.ts'
import { codePointLength } from '../domain/code-points.ts'
import { shownName } from '../domain/shown-name.ts'
import type { Connection } from '../live/live.ts'
import { refuseOnSocket } from './broken-request.ts'
import type { Context } from './context.ts'
import { explainFailure } from './failure.ts'
import type { Hosts } from './hosts.ts'
import { mount } from './mount.ts'
import { isOwnOrigin } from './origin.ts'
import type { Credentials } from './principal.ts'
import { remoteAddress } from './remote-address.ts'
import { RequestAsker, type Approaching } from './request-asker.ts'

interface LiveMounting {
  app: FastifyInstance
  context: Context
  known: Credentials
  hosts: Hosts
  /** Whether the owner’s own connection is here too. */
  owner: boolean
}

/** More than this waiting to be sent is somebody who doesn’t read. */
const mostUnsent = 256 * 1024

/**
 * WebSocket connections that say when something has changed. A request is let in, or refused in plain HTTP, as every
 * other is and in the same order, before anything is upgraded.
 */
export function mountLive({ app, context, known, hosts, owner }: LiveMounting) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: liveLimits.messageBytes,
  })
  const mounting = { app, context, known, has: () => true }
  const refusePlain = () => {
    throw invalid('This address takes WebSocket connections only.')
  }
  mount(mounting, liveDocument, followDocument, refusePlain)
  if (owner) mount(mounting, liveOwner, followAccount, refusePlain)
  // Without this, the library would answer by itself, with a page.
  server.on('wsClientError', (_error, socket) => refuseOnSocket(notWebSocket(), socket))

  const find = (path: string) => {
    const follow = (asker: RequestAsker) => begin(context, followAccount, asker, {})
    if (owner && path === liveUrls.owner) return follow
    const [, id] = /^\/api\/documents\/([^/]+)\/live$/.exec(path) ?? []
    return id === undefined
      ? undefined
      : (asker: RequestAsker) => begin(context, followDocument, asker, { id })
  }

  async function receive(raw: IncomingMessage, socket: Duplex, head: Buffer) {
    if (!hosts(raw.headers.host)) throw forbidden('This server doesn’t answer to that host name.')
    const url = URL.parse(raw.url ?? '/', 'http://galley')
    const follow = url && find(url.pathname)
    if (!follow) throw notFound('Page')
    // Cookies and links are sent along by pages of others, too; but no page can hide where it is from.
    if (!isOwnOrigin(raw.headers)) throw forbidden('This page may not listen here.')
    const request: Approaching = {
      headers: raw.headers,
      query: parseQuery(url.search.slice(1)),
      raw,
    }
    const task = await follow(new RequestAsker(context, known, request))
    const address = remoteAddress(context, raw)
    requireRoom(context, task.principal, address)
    server.handleUpgrade(raw, socket, head, (peer) =>
      connect(context, peer, { task, address, since: url.searchParams.get('since') }),
    )
  }

  app.server.on('upgrade', (raw, socket, head) => {
    const give = () => socket.destroy()
    socket.on('error', give)
    receive(raw, socket, head).then(
      () => socket.off('error', give),
      (error: unknown) => refuseOnSocket(explainFailure(error), socket),
    )
  })
}

const notWebSocket = () =>
  new GalleyError('VALIDATION_ERROR', 'The request is no valid opening of a WebSocket connection.', {
    headers: { 'sec-websocket-version': '13' },
  })

/** Whoever holds some links can keep neither the owner out nor the links' other holders. */
function requireRoom({ live }: Context, principal: Principal, address: string) {
  const hasRoom =
    principal.kind === 'link' ? live.makeRoom(principal.link.id, address) : live.count() < liveLimits.inAll
  if (!hasRoom)
    throw new GalleyError('RATE_LIMITED', 'Too many are connected here just now.', {
      retryAfter: 60,
    })
}

interface Listener {
  task: DocumentTask | AccountTask
  address: string
  /** How far they had heard. */
  since: string | null
}

function connect(context: Context, peer: WebSocket, { task, address, since }: Listener) {
  const { feed, live, store } = context
  const document = 'document' in task ? task.document : null
  let { principal } = task
  let alive = true
  let said = 0
  const forgive = setInterval(() => (said = 0), 60_000).unref()

  const connection: Connection = {
    about: (events) => newsOf(task, events),
    refusal() {
      try {
        task.authorize()
        look(task.principal)
        return null
      } catch (error) {
        // A link goes with its document, and so can't say any more what has become of it.
        const { code, status } = explainFailure(error)
        // A fault of ours says nothing about the credential.
        if (status >= 500) return null
        if (document && !isThere(context, document)) return liveCodes.notFound
        return code === 'NOT_FOUND' ? liveCodes.notFound : liveCodes.unauthorized
      }
    },
    guest:
      principal.kind === 'link' && document
        ? {
            ownerId: document.owner_id,
            address,
            person: {
              document_id: document.id,
              link_id: principal.link.id,
              link_label: principal.link.label,
              name: principal.account?.user.name ?? null,
              guest: isGuest(principal),
              since: instant(store.now()),
            },
          }
        : null,
    host: principal.kind === 'owner' && !document ? principal.user.id : null,
    send(text) {
      if (peer.bufferedAmount > mostUnsent) peer.terminate()
      else peer.send(text)
    },
    ping() {
      const answered = alive
      alive = false
      peer.ping()
      return answered
    },
    end(code) {
      peer.close(code)
      // Whoever doesn’t answer the goodbye is gone all the same.
      setTimeout(() => peer.terminate(), 1_000).unref()
    },
  }

  /** What a link is called and allows may have changed; whoever came by it hears what concerns them. */
  function look(now: Principal) {
    const before = principal
    principal = now
    if (before.kind !== 'link' || now.kind !== 'link' || !connection.guest || !document) return
    if (before.link.permission !== now.link.permission) {
      const message: LiveMessage = { type: 'changed', document_id: document.id, what: 'permission' }
      connection.send(JSON.stringify(message))
    }
    if (before.link.label !== now.link.label) {
      connection.guest.person.link_label = now.link.label
      live.renamed(connection)
    }
  }

  peer.on('pong', () => (alive = true))
  peer.on('error', () => peer.terminate())
  peer.on('close', () => {
    clearInterval(forgive)
    live.leave(connection)
  })
  peer.on('message', (data, isBinary) => {
    const name = isBinary ? undefined : greetingOf((data as Buffer).toString('utf8'))
    if (++said > liveLimits.messagesPerMinute || name === undefined) return peer.close(liveCodes.policy)
    if (!connection.guest || !isGuest(principal)) return
    connection.guest.person.name = name === '' ? null : name
    live.renamed(connection)
  })
  live.join(connection)
  for (const message of missedNews(task, feed, since)) connection.send(JSON.stringify(message))
}

/** The name in a greeting, which may be empty; undefined for anything else. */
function greetingOf(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown }
    if (typeof name !== 'string') return undefined
    return codePointLength(name.trim()) > limits.authorNameLength ? undefined : shownName(name)
  } catch {
    return undefined
  }
}
