import http from 'node:http'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Galley } from './app.ts'
import type { TunnelStatus } from './contract/tunnel.ts'
import { createLogger } from './logger.ts'
import { testFolder } from './store/testing/store.ts'
import { exhaust, guess, opened, shared, start } from './testing/tunnelled-galley.ts'
import { unset } from './tunnel/settings.ts'
import { blockWrites } from './testing/blocked-writes.ts'

/** A reverse proxy of the owner's own that passes everything on, the host name included. */
async function startProxy(): Promise<{
  address: string
  to: (port: number) => void
  /** What it says from now on of who a visitor is; undefined passes on what they say themselves. */
  names: (visitor: string | undefined) => void
  /** How many requests have come. */
  asked: () => number
  stop: () => Promise<void>
}> {
  let port = 0
  let visitor: string | undefined
  let asked = 0
  const server = http.createServer((request, response) => {
    asked++
    const passed = http.request(
      {
        host: '127.0.0.1',
        port,
        method: request.method,
        path: request.url,
        headers: { ...request.headers, ...(visitor === undefined ? {} : { 'x-forwarded-for': visitor }) },
      },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      },
    )
    passed.on('error', () => response.writeHead(502).end('Bad gateway'))
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  }
  onTestFinished(stop)
  return {
    // Galley knows itself by 127.0.0.1 only with its own port: this name and port are another's.
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    to: (share) => void (port = share),
    names: (now) => void (visitor = now),
    asked: () => asked,
    stop,
  }
}

test('links open through the owner’s proxy while it is switched on, and only then', async () => {
  const proxy = await startProxy()
  const at = await start(testFolder())
  proxy.to(at.sharePort)
  const link = `${proxy.address}${await shared(at)}`
  expect(await opened(link)).toBe(403)

  expect(
    (
      await at.call<TunnelStatus>('PATCH', '/api/tunnel', {
        url: { public_address: proxy.address },
        on: true,
      })
    ).state,
  ).toBe('starting')
  await at.reaches('online')
  expect(await at.status()).toMatchObject({ share_url: proxy.address, reason: null, message: null })
  expect((await at.call<{ share_url: string }>('GET', '/api/status')).share_url).toBe(proxy.address)
  expect(await opened(link)).toBe(200)

  await at.call('PATCH', '/api/tunnel', { on: false })
  expect(await at.status()).toMatchObject({ state: 'off', share_url: at.galley.shareUrl })
  expect(await opened(link)).toBe(403)
})

test('through the proxy nothing of the owner’s answers, whatever a request says of itself', async () => {
  const proxy = await startProxy()
  const at = await start(testFolder())
  proxy.to(at.sharePort)
  await at.call('PATCH', '/api/tunnel', { url: { public_address: proxy.address }, on: true })
  await at.reaches('online')
  const session = at.galley.createSession()
  const { host } = new URL(at.galley.url)
  for (const path of [
    '/',
    '/api/documents',
    '/api/me',
    '/api/keys',
    '/api/tunnel',
    '/api/session',
    '/docs',
    '/settings',
    '/about',
    '/licences.json',
  ])
    for (const headers of [
      {},
      { cookie: `${session.name}=${session.value}` },
      { 'x-forwarded-host': host, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' },
      { forwarded: `for=127.0.0.1;host=${host}`, origin: at.galley.url },
    ]) {
      const response = await fetch(proxy.address + path, { headers: headers as Record<string, string> })
      expect(`${path} ${response.status}`).toBe(`${path} 404`)
      expect(await response.text()).not.toContain('Proof')
    }
})

test('visitors are told apart where the proxy says who they are, and never by their own word', async () => {
  const proxy = await startProxy()
  const at = await start(testFolder())
  proxy.to(at.sharePort)
  await at.call('PATCH', '/api/tunnel', { url: { public_address: proxy.address }, on: true })
  await at.reaches('online')
  expect(await exhaust(proxy.address, '203.0.113.1')).toBe(429)
  expect(await guess(proxy.address, '203.0.113.2')).toBe(429)

  const lookAgain = () => at.call('PATCH', '/api/tunnel', { on: true })
  proxy.names('203.0.113.3')
  await lookAgain()
  await expect.poll(() => guess(proxy.address, '203.0.113.1')).toBe(404)
  expect(await exhaust(proxy.address, '203.0.113.4')).toBe(429)
  proxy.names('203.0.113.5')
  expect(await guess(proxy.address, '203.0.113.3')).toBe(404)

  proxy.names(undefined)
  await lookAgain()
  await expect.poll(() => guess(proxy.address, '203.0.113.6')).toBe(429)
  proxy.names('203.0.113.5')
  await lookAgain()
  await expect.poll(() => guess(proxy.address, '203.0.113.6')).toBe(404)
  await at.call('PATCH', '/api/tunnel', { on: false })
  // Nobody comes in by it any more, and a program on this machine is not the proxy.
  expect(await guess(at.galley.shareUrl, '203.0.113.7')).toBe(429)
})

test('once the machine has woken up it is looked at once whether the address still leads here', async () => {
  const proxy = await startProxy()
  const at = await start(testFolder())
  proxy.to(at.sharePort)
  await at.call('PATCH', '/api/tunnel', { url: { public_address: proxy.address }, on: true })
  await at.reaches('online')
  const before = proxy.asked()
  at.galley.wake()
  await expect.poll(proxy.asked).toBeGreaterThan(before)
})

test('what leads elsewhere is never called online', async () => {
  const proxy = await startProxy()
  const [at, other] = [await start(testFolder()), await start(testFolder())]
  proxy.to(other.sharePort)
  await at.call('PATCH', '/api/tunnel', { url: { public_address: proxy.address }, on: true })
  for (let i = 0; i < 10; i++) {
    expect(await at.status()).toMatchObject({ state: 'starting', share_url: at.galley.shareUrl })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  proxy.to(at.sharePort)
  await at.reaches('online')
})

test('the choice is kept over a restart, in a file that nobody else may read', async () => {
  const proxy = await startProxy()
  const folder = testFolder()
  const first = await start(folder)
  proxy.to(first.sharePort)
  await first.call('PATCH', '/api/tunnel', { url: { public_address: proxy.address }, on: true })
  await first.reaches('online')
  await first.galley.close()
  expect(JSON.parse(readFileSync(path.join(folder, 'tunnel.json'), 'utf8'))).toEqual({
    on: true,
    provider: 'url',
    settings: { ...unset.settings, url: { public_address: proxy.address } },
    secrets: [],
    sshPublicKey: null,
  })
  const second: { galley: Galley } & Awaited<ReturnType<typeof start>> = await start(folder)
  proxy.to(second.sharePort)
  await second.reaches('online')
})

test('where the tunnel’s state can’t be written it still goes up and down, and Galley is closed', async () => {
  const folder = testFolder()
  const proxy = await startProxy()
  const logged: string[] = []
  const at = await start(folder, { log: createLogger('error', { write: (line) => void logged.push(line) }) })
  proxy.to(at.sharePort)
  const unblock = blockWrites(path.join(folder, 'server.json'))
  await at.call('PATCH', '/api/tunnel', { url: { public_address: proxy.address }, on: true })
  await at.reaches('online')
  expect(logged.join('')).toContain('the state of the tunnel could not be written')
  expect(await at.call('PATCH', '/api/tunnel', { on: false })).toMatchObject({ state: 'off' })
  await at.call('PATCH', '/api/tunnel', { on: true })
  await at.galley.close()
  unblock()
  await start(folder)
})
