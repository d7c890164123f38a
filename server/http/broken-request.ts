import type * as Http from 'node:http'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { GalleyError, invalid } from '../contract/errors.ts'
import { envelopeOf, headersOf } from './failure.ts'

// Not imported: as a module of ES, Node's `http` brings along all it exports lazily, its `fetch` too. A start that takes
// a third of a second would take half as long again.
const { STATUS_CODES } = createRequire(import.meta.url)('node:http') as typeof Http

/**
 * Answers what isn’t HTTP, is too long in its head or never ends: such a request reaches no route, but its sender gets
 * the envelope all the same.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // Browsers open connections before they need them. To one that was never used an answer would be to what comes next.
  if (socket.bytesRead === 0) return socket.destroy()
  refuseOnSocket(explain(error.code), socket)
}

/** Answers where there is only a socket, and ends it. */
export function refuseOnSocket(failure: GalleyError, socket: Duplex) {
  const body = envelopeOf(failure)
  if (socket.writable) {
    const more = Object.entries(headersOf(failure)).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\nConnection: close\r\n` +
        'Content-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n' +
        `X-Content-Type-Options: nosniff\r\n${more.join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }
  // Once the answer is out: destroying at once would lose it.
  socket.end(() => socket.destroy())
}

function explain(code: string | undefined): GalleyError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new GalleyError('PAYLOAD_TOO_LARGE', 'The address and headers are longer than allowed.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return invalid('The request took too long to arrive.')
    default:
      return invalid('The request is not valid HTTP.')
  }
}
