import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { placedHeader } from '../contract/placed.ts'
import { isApiPath, pathOf } from './absence.ts'
import type { PresentedKey } from './principal.ts'

/** What pages from elsewhere may send and read, beside what every page may. */
const sent = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
]
const read = [
  ...['ETag', 'Link', 'Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Idempotency-Replayed'],
  ...['Galley-Events-Up-To', placedHeader],
].join(', ')
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
  'access-control-allow-headers': sent.join(', '),
  'access-control-max-age': '600',
}

/** Which pages from elsewhere may ask, and with what. */
export interface Pages {
  /** Whether the owner has named their origin. */
  allows: (origin: string) => boolean
  /** The key that alone decides what a request may do. */
  keyOf: (request: FastifyRequest) => PresentedKey
}

/** Whether a request asks if one with a key may come. */
const asksForKey = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' &&
  headers['access-control-request-method'] !== undefined &&
  /(^|,)\s*authorization\s*(,|$)/i.test(String(headers['access-control-request-headers'] ?? ''))

const letRead = (reply: FastifyReply, origin: string) =>
  void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': read })

/**
 * Lets a page from an origin that the owner has named read what it asks for with a valid key (CORS, in the Fetch
 * standard). Cookies never count for it: no answer allows credentials, and a session from another origin is refused anyway.
 * @returns whether that was all that was asked
 */
function allowPages({ allows, keyOf }: Pages, request: FastifyRequest, reply: FastifyReply): boolean {
  const { origin } = request.headers
  if (origin === undefined || !allows(origin)) return false
  if (!asksForKey(request)) {
    if (keyOf(request) === 'valid') letRead(reply, origin)
    return false
  }
  letRead(reply, origin)
  // A page of the internet that asks this machine: browsers want to hear that this is meant.
  if (request.headers['access-control-request-private-network'] === 'true')
    void reply.header('access-control-allow-private-network', 'true')
  void reply.headers(preflight).code(204).send()
  return true
}

/** A page whose key is none may read that, and so ask for another. The answer holds nothing else. */
function sayRefused({ allows, keyOf }: Pages, request: FastifyRequest, reply: FastifyReply) {
  const { origin } = request.headers
  if (origin !== undefined && reply.statusCode === 401 && allows(origin) && keyOf(request) === 'invalid')
    letRead(reply, origin)
}

/** What a listener asks of each request to its API once nothing before credentials refuses it. */
export function crossOrigin(app: FastifyInstance, pages: Pages) {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!isApiPath(pathOf(request.url))) return done()
    try {
      sayRefused(pages, request, reply)
    } catch (error) {
      return done(error as Error)
    }
    // Whatever an answer depends on otherwise, it depends on the origin, too.
    const vary = reply.getHeader('vary')
    if (vary !== 'Origin')
      void reply.header('vary', vary === undefined ? 'Origin' : `${String(vary)}, Origin`)
    done()
  })
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    // Also on what is answered past that hook, as a stream of events is.
    void reply.header('vary', 'Origin')
    return allowPages(pages, request, reply)
  }
}
