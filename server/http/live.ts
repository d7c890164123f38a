import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { followAccount, followDocument } from '../actions/follow.ts'
import type { Principal } from '../actions/principal.ts'
import { begin } from '../actions/run.ts'
import type { AccountTask, DocumentTask } from '../actions/task.ts'
import { forbidden, GalleyError, invalid, notFound } from '../contract/errors.ts'
import { liveUrls } from '../contract/live.ts'
import { liveLimits } from '../contract/live-limits.ts'
import { liveDocument, liveOwner } from '../contract/routes/live.ts'
import { Listener, type Peer } from '../live/listener.ts'
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
    const { principal } = task
    if (principal.kind === 'link') await context.limiters.liveOpening(principal.link.id, address)
    requireRoom(context, principal, address)
    server.handleUpgrade(raw, socket, head, (peer) =>
      connect(context, peer, { task, since: url.searchParams.get('since') }),
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
export function requireRoom({ live }: Context, principal: Principal, address: string) {
  const hasRoom =
    principal.kind === 'link' ? live.makeRoom(principal.link.id, address) : live.count() < liveLimits.inAll
  if (!hasRoom)
    throw new GalleyError('RATE_LIMITED', 'Too many are connected here just now.', {
      retryAfter: 60,
    })
}

function connect(context: Context, socket: WebSocket, { task, since }: Entering) {
  let isAlive = true
  const peer: Peer = {
    send(text) {
      if (socket.bufferedAmount > mostUnsent) socket.terminate()
      else socket.send(text)
    },
    ping() {
      const answered = isAlive
      isAlive = false
      socket.ping()
      return answered
    },
    end(code) {
      socket.close(code)
      // Whoever doesn’t answer the goodbye is gone all the same.
      setTimeout(() => socket.terminate(), 1_000).unref()
    },
  }
  const onFailure = (error: unknown) => context.log.error(error, 'a live connection failed')
  const listener = new Listener({ context: { ...context, onFailure }, task, peer })
  socket.on('pong', () => {
    isAlive = true
    listener.heard()
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => listener.leave())
  socket.on('message', (data, isBinary) =>
    listener.receive(isBinary ? null : (data as Buffer).toString('utf8')),
  )
  listener.join(since)
  socket.ping()
}

interface Entering {
  task: DocumentTask | AccountTask
  /** How far they had heard. */
  since: string | null
}
