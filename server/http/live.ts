import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { forbidden, GalleyError, invalid, notFound } from '../contract/errors.ts'
import type { DocumentEvent } from '../contract/events.ts'
import { limits } from '../contract/limits.ts'
import { liveCodes, liveLimits, liveUrls, type LiveMessage } from '../contract/live.ts'
import { liveDocument, liveOwner } from '../contract/routes/live.ts'
import { may } from '../domain/access.ts'
import { codePointLength } from '../domain/code-points.ts'
import { guestName } from '../domain/guest-name.ts'
import type { Connection } from '../live/live.ts'
import { admit, admitAgain, type Admitted, type Approaching } from './admission.ts'
import { refuseOnSocket } from './broken-request.ts'
import type { Caller, Credentials } from './caller.ts'
import type { Context } from './context.ts'
import { explainFailure } from './failure.ts'
import type { Hosts } from './hosts.ts'
import { instant } from './instant.ts'
import { mount } from './mount.ts'
import { isOwnOrigin } from './origin.ts'
import { remoteAddress } from './remote-address.ts'

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
 * WebSocket connections that say when something has changed. A request is let in, or refused in plain HTTP, by the same
 * admission as every other and in the same order, before anything is upgraded.
 */
export function mountLive({ app, context, known, hosts, owner }: LiveMounting) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: liveLimits.messageBytes,
  })
  for (const route of [liveDocument, ...(owner ? [liveOwner] : [])]) {
    mount({ app, context, known, has: () => true }, route, () => {
      throw invalid('This address takes WebSocket connections only.')
    })
  }
  // Without this, the library would answer by itself, with a page.
  server.on('wsClientError', (_error, socket) => refuseOnSocket(notWebSocket(), socket))

  const find = (path: string) => {
    if (owner && path === liveUrls.owner) return { route: liveOwner, params: {} }
    const [, id] = /^\/api\/documents\/([^/]+)\/live$/.exec(path) ?? []
    return id === undefined ? undefined : { route: liveDocument, params: { id } }
  }

  async function receive(raw: IncomingMessage, socket: Duplex, head: Buffer) {
    if (!hosts(raw.headers.host)) throw forbidden('This server doesn’t answer to that host name.')
    const url = URL.parse(raw.url ?? '/', 'http://galley')
    const found = url && find(url.pathname)
    if (!found) throw notFound('Page')
    // Cookies and links are sent along by pages of others, too; but no page can hide where it is from.
    if (!isOwnOrigin(raw.headers)) throw forbidden('This page may not listen here.')
    const request: Approaching = {
      headers: raw.headers,
      query: parseQuery(url.search.slice(1)),
      params: found.params,
      raw,
    }
    const admitted = await admit(context, known, found.route, request)
    const address = remoteAddress(context, raw)
    requireRoom(context, admitted.caller, address)
    server.handleUpgrade(raw, socket, head, (peer) =>
      connect(context, peer, { ...admitted, address }, () =>
        admitAgain(context, known, found.route, request),
      ),
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
function requireRoom({ live }: Context, caller: Caller, address: string) {
  const hasRoom =
    caller.kind === 'link' ? live.makeRoom(caller.link.id, address) : live.count() < liveLimits.inAll
  if (!hasRoom)
    throw new GalleyError('RATE_LIMITED', 'Too many are connected here just now.', {
      headers: { 'retry-after': '60' },
    })
}

function connect(
  context: Context,
  peer: WebSocket,
  admitted: Admitted & { address: string },
  again: () => Admitted,
) {
  const { live, store } = context
  const { document } = admitted
  let { caller } = admitted
  const documentId = document?.id ?? null
  let alive = true
  let said = 0
  const forgive = setInterval(() => (said = 0), 60_000).unref()

  const connection: Connection = {
    about: (event) => aboutEvent(context, caller, documentId, event),
    refusal() {
      try {
        look(again().caller)
        return null
      } catch (error) {
        // A link goes with its document, and so can't say any more what has become of it.
        const { code, status } = explainFailure(error)
        // A fault of ours says nothing about the credential.
        if (status >= 500) return null
        if (documentId !== null && !store.documents.findHead(documentId)) return liveCodes.notFound
        return code === 'NOT_FOUND' ? liveCodes.notFound : liveCodes.unauthorized
      }
    },
    guest:
      caller.kind === 'link'
        ? {
            ownerId: document!.owner_id,
            address: admitted.address,
            person: {
              document_id: document!.id,
              link_id: caller.link.id,
              link_label: caller.link.label,
              name: caller.account?.user.name ?? null,
              since: instant(store.now()),
            },
          }
        : null,
    host: caller.kind === 'owner' && documentId === null ? caller.user.id : null,
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
  function look(now: Caller) {
    const before = caller
    caller = now
    if (before.kind !== 'link' || now.kind !== 'link' || !connection.guest) return
    if (before.link.permission !== now.link.permission) {
      const message: LiveMessage = { type: 'changed', document_id: documentId, what: 'permission' }
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
    if (!connection.guest || (caller.kind === 'link' && caller.account)) return
    connection.guest.person.name = name === '' ? null : name
    live.renamed(connection)
  })
  live.join(connection)
}

/** The name in a greeting, which may be empty; undefined for anything else. */
function greetingOf(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown }
    if (typeof name !== 'string') return undefined
    return codePointLength(name.trim()) > limits.authorNameLength ? undefined : guestName(name)
  } catch {
    return undefined
  }
}

function aboutEvent(
  { store }: Context,
  caller: Caller,
  documentId: string | null,
  event: DocumentEvent,
): LiveMessage | null {
  const { documentId: changed, what } = event
  if (documentId !== null && documentId !== changed) return null
  if (caller.kind === 'link') {
    if (what === 'links' || what === 'openings') return null
    const holder = { kind: 'link', permission: caller.link.permission } as const
    if (what === 'suggestions' && may(holder, 'suggestion.list') !== 'yes') return null
  } else if (documentId === null) {
    if (event.what === 'deleted')
      return event.ownerId === caller.user.id ? { type: 'changed', document_id: null, what } : null
    if (store.documents.findHead(changed)?.owner_id !== caller.user.id) return null
  }
  return { type: 'changed', document_id: changed, what }
}
