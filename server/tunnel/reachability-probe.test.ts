import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, expect, test } from 'vitest'
import { createReachabilityProbes, probePath } from './reachability-probe.ts'

/** A server of the test's own; its origin. */
async function serve(listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const soon = () => AbortSignal.timeout(5_000)

test('a probe comes back where this very server answers', async () => {
  const probes = createReachabilityProbes()
  const address = await serve((request, response) =>
    response.end(probes.answerTo(request.url!.slice(probePath.length))),
  )
  await expect(probes.send(address, soon())).resolves.toEqual({ namesClients: false })
})

test.each<[string, (claimed: string) => string | undefined, boolean]>([
  ['passes on what a visitor says', (claimed) => claimed, false],
  ['says nothing', () => undefined, false],
  ['hides who it is', () => 'unknown', false],
  ['hides who it is, too', (claimed) => `${claimed}, unknown`, false],
  ['adds who it is', (claimed) => `${claimed}, 198.51.100.7`, true],
  ['says who it is instead', () => '127.0.0.1', true],
])('whether a proxy says who a visitor is: one that %s', async (_what, passOn, namesClients) => {
  const probes = createReachabilityProbes()
  const address = await serve((request, response) => {
    const claimed = request.headers['x-forwarded-for'] as string
    response.end(probes.answerTo(request.url!.slice(probePath.length), passOn(claimed)))
  })
  await expect(probes.send(address, soon())).resolves.toEqual({ namesClients })
})

test('a question is answered only while it is asked', async () => {
  const probes = createReachabilityProbes()
  let asked = ''
  const address = await serve((request, response) => {
    asked = request.url!.slice(probePath.length)
    response.end(probes.answerTo(asked))
  })
  await probes.send(address, soon())
  expect(asked).toMatch(/^[0-9a-f]{32}$/)
  expect(probes.answerTo(asked)).toBeUndefined()
  expect(probes.answerTo('')).toBeUndefined()
})

test.each<[string, http.RequestListener]>([
  ['an echo', (request, response) => response.end(request.url!.slice(probePath.length))],
  ['another page', (_request, response) => response.end('<h1>Welcome to nginx!</h1>')],
  ['an error of the proxy', (_request, response) => response.writeHead(502).end('Bad gateway')],
  ['a redirect', (_request, response) => response.writeHead(302, { location: '/login' }).end()],
  [
    'an endless answer',
    (_request, response) => void setInterval(() => response.write('x'.repeat(1e5)), 1).unref(),
  ],
])('%s does not pass', async (_what, listener) => {
  const address = await serve(listener)
  await expect(createReachabilityProbes().send(address, soon())).rejects.toMatchObject({
    reason: 'wrong answer',
    message: expect.stringContaining('port of the share listener') as string,
  })
})

test('another Galley’s answer does not pass', async () => {
  const [mine, other] = [createReachabilityProbes(), createReachabilityProbes()]
  const address = await serve((request, response) =>
    response.end(other.answerTo(request.url!.slice(probePath.length)) ?? ''),
  )
  await expect(mine.send(address, soon())).rejects.toMatchObject({ reason: 'wrong answer' })
})

test('what doesn’t answer says why', async () => {
  const probes = createReachabilityProbes()
  const closed = http.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const refused = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
  await new Promise((resolve) => closed.close(resolve))
  await expect(probes.send(refused, soon())).rejects.toMatchObject({
    reason: 'other side silent',
    message: `Nothing listens at ${refused}. Is the proxy running?`,
  })
  const mute = await serve(() => undefined)
  await expect(probes.send(mute, AbortSignal.timeout(50))).rejects.toMatchObject({
    reason: 'other side silent',
    message: `${mute} doesn’t answer in time.`,
  })
  const cut = await serve((request) => request.socket.destroy())
  await expect(probes.send(cut, soon())).rejects.toMatchObject({ reason: 'network blocked' })
  await expect(probes.send('http://nowhere.invalid', soon())).rejects.toMatchObject({ reason: 'offline' })
  const plain = (await serve((_request, response) => response.end())).replace('http:', 'https:')
  await expect(probes.send(plain, soon())).rejects.toMatchObject({ reason: 'wrong answer' })
})
