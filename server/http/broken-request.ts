import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { GalleyError, invalid } from '../contract/errors.ts'
import { envelopeOf } from './failure.ts'

/**
 * Answers what isn’t HTTP, is too long in its head or never ends: such a request reaches no route, but its sender gets
 * the envelope all the same.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const failure = explain(error.code)
  const body = envelopeOf(failure)
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\nConnection: close\r\n` +
        'Content-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n' +
        `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }
  socket.destroySoon()
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
