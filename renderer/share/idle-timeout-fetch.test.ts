import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { fetchWithIdleTimeout } from './idle-timeout-fetch.ts'

let server: Server | undefined
/** Answers begin with a word, and go on as `go` says. */
async function startServer(go: (response: ServerResponse) => void): Promise<string> {
  server = createServer((_, response) => {
    response.writeHead(200, { 'retry-after': '7' })
    response.write('One ')
    go(response)
  })
  const started = server
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`
}
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  server?.closeAllConnections()
  server?.close()
})

/** Time passes for the page only, and only when it is told to. */
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

test('an answer that falls silent in its middle is given up', async () => {
  const address = await startServer(() => undefined)
  stopClock()
  const answer = await fetchWithIdleTimeout(address)
  const words = answer.text()
  const failed = expect(words).rejects.toThrow()
  vi.advanceTimersByTime(15_000)
  await failed
})

test('an answer that keeps coming may take its time, and arrives whole', async () => {
  let more: ServerResponse | undefined
  const address = await startServer((response) => (more = response))
  stopClock()
  const answer = await fetchWithIdleTimeout(address)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([200, '7'])
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader.read()).value).toBe('One ')
  vi.advanceTimersByTime(14_000)
  more!.write('two ')
  expect((await reader.read()).value).toBe('two ')
  vi.advanceTimersByTime(14_000)
  more!.end('three')
  expect((await reader.read()).value).toBe('three')
  expect((await reader.read()).done).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('an answer without words is one', async () => {
  const address = await startServer(() => undefined)
  server!.removeAllListeners('request').on('request', (_, response) => response.writeHead(204).end())
  stopClock()
  expect((await fetchWithIdleTimeout(address)).status).toBe(204)
  expect(vi.getTimerCount()).toBe(0)
})

test('an answer that has nothing new is one, also where the browser says that it has a body', async () => {
  const none = { status: 304, body: new ReadableStream(), headers: new Headers() } as Response
  vi.stubGlobal('fetch', () => Promise.resolve(none))
  expect((await fetchWithIdleTimeout('/')).status).toBe(304)
})
