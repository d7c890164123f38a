import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerBrokenRequest } from './broken-request.ts'

// Long enough for what is sent to have come by then, however busy the machine is.
const server = createServer({ headersTimeout: 600, requestTimeout: 600, connectionsCheckingInterval: 50 })
beforeEach(async () => {
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket as never))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

/** All that comes over a connection until the server ends it. */
const answerTo = (sent: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let read = ''
    socket.setEncoding('utf8').on('data', (text: string) => (read += text))
    socket.on('close', () => resolve(read)).on('error', reject)
    if (sent !== '') socket.write(sent)
  })

test('a connection that is never used is closed without a word', async () => {
  expect(await answerTo('')).toBe('')
})

test('who never ends a request is told', async () => {
  expect(await answerTo('GET / HTTP/1.1\r\nHost: ')).toContain('The request took too long to arrive.')
})
