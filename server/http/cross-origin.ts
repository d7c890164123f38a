import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { placedHeader } from '../contract/placed.ts'
import { isApiPath, pathOf } from './absence.ts'

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

/** Whether a request comes with a key, or asks whether one with a key may come. */
const isWithKey = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS'
    ? headers['access-control-request-method'] !== undefined &&
      /(^|,)\s*authorization\s*(,|$)/i.test(String(headers['access-control-request-headers'] ?? ''))
    : headers.authorization !== undefined

/**
 * Lets a page from an origin that the owner has named read what it asks for with a key (CORS, in the Fetch standard).
 * Cookies never count for it: no answer allows credentials, and a session from another origin is refused anyway.
 * @returns whether that was all that was asked
 */
function allowPages(
  allows: (origin: string) => boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { origin } = request.headers
  if (origin === undefined || !isWithKey(request) || !allows(origin)) return false
  void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': read })
  if (request.method !== 'OPTIONS') return false
  // A page of the internet that asks this machine: browsers want to hear that this is meant.
  if (request.headers['access-control-request-private-network'] === 'true')
    void reply.header('access-control-allow-private-network', 'true')
  void reply.headers(preflight).code(204).send()
  return true
}

/** What a listener asks of each request to its API once nothing before credentials refuses it. */
export function crossOrigin(app: FastifyInstance, allows: (origin: string) => boolean) {
  // Whatever an answer depends on otherwise, it depends on the origin, too.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const vary = reply.getHeader('vary')
    if (isApiPath(pathOf(request.url)) && vary !== 'Origin')
      void reply.header('vary', vary === undefined ? 'Origin' : `${String(vary)}, Origin`)
    done()
  })
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    // Also on what is answered past that hook, as a stream of events is.
    void reply.header('vary', 'Origin')
    return allowPages(allows, request, reply)
  }
}
