import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What somebody was sent. */
export interface Received {
  id: string
  headers: http.IncomingHttpHeaders
  text: string
  body: { type: string; timestamp: string; data: { seq: number; document_id: string | null } }
}

/** Answers one that was sent. */
export type ReceiverAnswer = (received: Received, response: http.ServerResponse) => void

export const accepts: ReceiverAnswer = (_received, response) => void response.writeHead(204).end()
export const answers =
  (status: number, headers: http.OutgoingHttpHeaders = {}): ReceiverAnswer =>
  (_received, response) =>
    void response.writeHead(status, headers).end()

/** A real receiver on this machine, which answers as it is told. */
export async function startReceiver(answer: ReceiverAnswer = accepts) {
  const received: Received[] = []
  const receiver = { answer, received, url: '' }
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const one = {
        id: String(request.headers['webhook-id']),
        headers: request.headers,
        text,
        body: JSON.parse(text) as Received['body'],
      }
      received.push(one)
      receiver.answer(one, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}
