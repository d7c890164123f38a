import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { expect, it, onTestFinished, test } from 'vitest'
import { checkedAddresses, systemResolve, type Resolve } from './addresses.ts'
import { createPost, type WebhookRequest } from './post.ts'
import { answers, startReceiver } from './testing/receiver.ts'

const leads =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
const post = (url: string, resolve: Resolve, more: Partial<WebhookRequest> = {}, timeout?: number) =>
  createPost(
    resolve,
    timeout,
  )({
    ...{ url, headers: {}, body: '{}', innerNetwork: false, signal: new AbortController().signal },
    ...more,
  })

const refused = 'It is in the inner network, which isn’t allowed for this webhook.'

it.each([
  ['https://127.0.0.1/', []],
  ['https://[::1]/', []],
  ['https://[::ffff:10.0.0.1]/', []],
  ['https://2130706433/', []],
  ['https://0x7f.1/', []],
  ['https://0177.0.0.1/', []],
  ['https://169.254.169.254/latest/meta-data', []],
  ['https://public.example/', ['10.0.0.1']],
  ['https://public.example/', ['fd00:ec2::254']],
  ['https://public.example/', ['::ffff:169.254.169.254']],
  // One of many is enough.
  ['https://public.example/', ['93.184.215.14', '100.64.0.1']],
  ['https://public.example/', ['2606:4700::1111', 'fe80::1']],
])('nothing goes to %s at %j', async (url, addresses) => {
  expect(await post(url, leads(...addresses))).toMatchObject({ arrived: false, status: null, error: refused })
})

test('what is connected to is what was checked, whatever the name leads to a moment later', async () => {
  const inner = await startReceiver()
  const { port } = new URL(inner.url)
  let asked = 0
  // The first answer is checked; a second one, which nobody asks for, would lead within.
  const rebinding: Resolve = () =>
    Promise.resolve([{ address: asked++ === 0 ? '192.0.2.1' : '127.0.0.1', family: 4 }])
  expect((await post(`http://rebinds.example:${port}/`, rebinding)).error).toBe(refused)
  asked = 0
  const outcome = await post(`http://rebinds.example:${port}/`, rebinding, { innerNetwork: true }, 300)
  expect([outcome.arrived, asked, inner.received]).toEqual([false, 1, []])
  // And a name that leads here does where that is allowed.
  const allowed = await post(`http://here.example:${port}/`, leads('127.0.0.1'), { innerNetwork: true })
  expect([allowed.arrived, inner.received[0]!.headers.host]).toEqual([true, `here.example:${port}`])
})

test('redirects aren’t followed, and how long to wait is heard', async () => {
  const there = await startReceiver()
  const receiver = await startReceiver(answers(302, { location: there.url }))
  const within = { innerNetwork: true }
  expect(await post(receiver.url, leads(), within)).toMatchObject({
    ...{ arrived: false, status: 302, error: 'It answered 302. Redirects aren’t followed.' },
  })
  expect(there.received).toEqual([])
  receiver.answer = answers(429, { 'retry-after': '120' })
  expect(await post(receiver.url, leads(), within)).toMatchObject({ status: 429, retryAfter: 120_000 })
})

test('time and size are bounded, and the status counts whatever follows it', async () => {
  const receiver = await startReceiver(() => {})
  const within = { innerNetwork: true }
  expect((await post(receiver.url, leads(), within, 50)).error).toBe(
    'It hasn’t answered within 0.05 seconds.',
  )
  const never: Resolve = () => new Promise(() => {})
  expect((await post('https://slow.example/', never, {}, 50)).error).toMatch(/hasn’t answered/)

  let isEnded = false
  receiver.answer = (_received, response) => {
    response.writeHead(200)
    const more = () => {
      if (!response.destroyed) response.write(Buffer.alloc(16 * 1024), () => setImmediate(more))
    }
    response.on('close', () => (isEnded = true))
    more()
  }
  expect(await post(receiver.url, leads(), within)).toMatchObject({ arrived: true, status: 200 })
  await expect.poll(() => isEnded).toBe(true)
  // Nor does it read what is no answer for ever.
  receiver.answer = (_received, response) =>
    void response.writeHead(200, { 'x-long': 'x'.repeat(http.maxHeaderSize) }).end()
  expect((await post(receiver.url, leads(), within)).arrived).toBe(false)
})

/** A receiver that answers with these bytes, and holds the connection. */
async function startHolding(answer: string) {
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).once('data', () => socket.write(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`, sockets }
}

it.each([
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
])('who answers %j and holds the connection has refused it', async (answer) => {
  const { url, sockets } = await startHolding(answer)
  expect(await post(url, leads(), { innerNetwork: true })).toEqual({
    ...{ arrived: false, status: 101, error: 'It answered 101.', retryAfter: 0 },
  })
  await expect.poll(() => sockets[0]!.destroyed).toBe(true)
})

it.each([
  ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n', 300, null],
  ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nx', 60_000, 200],
  ['HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\nx', 60_000, 500],
])('what begins with %j and never ends is over all the same', async (answer, timeout, status) => {
  const { url, sockets } = await startHolding(answer)
  const outcome = await post(url, leads(), { innerNetwork: true }, timeout)
  expect([outcome.arrived, outcome.status]).toEqual([status === 200, status])
  await expect.poll(() => sockets[0]!.destroyed).toBe(true)
})

test('why something couldn’t be sent is said in words', async () => {
  const gone: Resolve = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))
  expect((await post('https://gone.example/', gone)).error).toBe('Its name isn’t known.')
  expect((await post('http://127.0.0.1:1/', leads(), { innerNetwork: true })).error).toBe(
    'Nothing answers at its address.',
  )
  const plain = await startReceiver()
  const tls = await post(plain.url.replace('http:', 'https:'), leads(), { innerNetwork: true })
  expect(tls.error).toMatch(/certificate|sent/)
})

test('a name is looked up once at one time, and only two names are', async () => {
  let running = 0
  let most = 0
  const asked: string[] = []
  const resolve = systemResolve(async (name) => {
    asked.push(name)
    most = Math.max(most, ++running)
    await new Promise((done) => setTimeout(done, 5))
    running--
    return [{ address: '93.184.215.14', family: 4 }]
  })
  const names = ['a', 'a', 'b', 'c', 'd', 'c']
  await Promise.all(names.map((name) => checkedAddresses(`${name}.example`, false, resolve)))
  expect([most, asked]).toEqual([2, ['a.example', 'b.example', 'c.example', 'd.example']])
})
