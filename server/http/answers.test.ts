import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answers } from './answers.ts'
import { createAnswers } from './answers.ts'
import { Packed } from './shared-answers.ts'
import { limits } from '../contract/limits.ts'
import { createTestGalley, hosts, type TestGalley } from '../testing/galley.ts'

let galley: TestGalley
const sockets: Socket[] = []
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await galley.close()
})

async function listen(): Promise<number> {
  const { share } = galley.apps
  await share.listen({ host: '127.0.0.1', port: 0 })
  return (share.server.address() as AddressInfo).port
}

/** Asks, and reads nothing but the beginning. */
async function askUnread(port: number, path: string, times = 1): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hosts.share}\r\n\r\n`.repeat(times))
  socket.once('data', () => socket.pause())
  await Promise.race([once(socket, 'data'), once(socket, 'close')])
  return socket
}

async function read(port: number, path: string): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host: hosts.share } }, resolve).on('error', reject)
  })
  return (await response.setEncoding('utf8').toArray()).join('')
}

const large = 'Text. '.repeat(1_600_000)

async function shareLarge(content = large) {
  const { id } = await galley.newDocument({ content })
  const token = await galley.newToken(id, 'edit')
  return { id, token, path: `/api/documents/${id}?share_token=${token}` }
}

describe('answers that nobody reads', () => {
  it('hold one text, however many connections asked for it, and others are answered', async () => {
    const { id, token, path } = await shareLarge()
    const port = await listen()
    for (let n = 0; n < 60; n++) await askUnread(port, path)
    const { bytes, answers } = galley.context.answers.held
    expect(answers).toBe(60)
    expect(bytes).toBeLessThan(large.length * 1.1)
    const other = JSON.parse(await read(port, path)) as { data: { content: string } }
    expect(other.data.content.length).toBe(large.length)
    const as = { token }
    const changed = await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: 'New' } })
    expect(changed.status).toBe(200)
    expect((await galley.call('GET', `/api/documents/${id}`, { as })).data.content).toBe('New')
    for (const socket of sockets) socket.destroy()
    await vi.waitFor(() => expect(galley.context.answers.held).toEqual({ bytes: 0, answers: 0 }))
  })

  /** With 20 MB of comments, and a clock that stands still, so that nothing has been waiting for long. */
  async function shareManyComments() {
    await galley.close()
    galley = await createTestGalley({ readingClock: () => 0 })
    const { id, token } = await shareLarge('Text')
    const author = { id: null, name: 'Guest', key: 'guest:1' }
    const { document } = galley.store.shareLinks.findValid(token)!
    galley.store.transaction(() => {
      for (let n = 0; n < 2_000; n++)
        galley.store.comments.create(document, author, {
          body: 'x'.repeat(10_000),
          parentId: null,
          anchor: null,
          range: null,
        })
    })
    return { id, token, path: `/api/documents/${id}/comments` }
  }

  it('count from when they begin to be made', async () => {
    const { token, path } = await shareManyComments()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => galley.call('GET', path, { as: { token }, on: 'share' })),
    )
    const codes = answers.map(({ status }) => status)
    expect(codes.filter((status) => status === 200).length).toBeGreaterThan(0)
    expect(codes.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(galley.context.answers.held).toEqual({ bytes: 0, answers: 0 })
    expect((await galley.call('GET', path, { as: { token }, on: 'share' })).status).toBe(200)
  })

  it('are bounded by link where each is another, and then refused', async () => {
    const { id, token, path: comments } = await shareManyComments()
    const port = await listen()
    const path = `${comments}?share_token=${token}`
    for (let n = 0; n < 3; n++) await askUnread(port, path)
    const { bytes } = galley.context.answers.held
    expect(bytes).toBeGreaterThanOrEqual(limits.unreadBytesPerLink)
    const refused = await galley.call('GET', `/api/documents/${id}`, { as: { token } })
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
    const other = await galley.newToken(id, 'view')
    expect((await galley.call('GET', `/api/documents/${id}`, { as: { token: other } })).status).toBe(200)
    expect((await galley.call('GET', `/api/documents/${id}`, { as: galley.as.owner })).status).toBe(200)
  })

  it('cost a connection that asks on and on without waiting for any', async () => {
    const { path } = await shareLarge('Text')
    const port = await listen()
    const socket = await askUnread(port, path, limits.pipelinedRequests + 1)
    socket.resume()
    await once(socket, 'close')
    const few = await askUnread(port, path, limits.pipelinedRequests)
    expect(few.destroyed).toBe(false)
  })
})

describe('what guests may have unread', () => {
  const socket = { remoteAddress: '10.0.0.1' }
  const ends: (() => void)[] = []
  let now = 0
  let answers: Answers
  beforeEach(() => {
    now = 0
    ends.length = 0
    answers = createAnswers({ tunnel: { clientAddressAt: () => undefined } }, () => now)
  })

  /** Asks as a link's holder for so many bytes; whether that was allowed, and what ends it. */
  function ask(link: string, bytes: number) {
    let onSend: (...parts: unknown[]) => void = () => undefined
    answers.countOn({
      decorateRequest() {},
      addHook: (_: string, hook: typeof onSend) => void (onSend = hook),
    } as never)
    const request = { method: 'GET', raw: { socket, headers: {} } }
    answers.requireRoom(request as never, link)
    let given = false
    const end: (() => void)[] = []
    const raw = {
      socket: { destroy: () => (given = true) },
      once: (_: string, listener: () => void) => void end.push(listener),
      setTimeout() {},
    }
    onSend(request, { raw, header() {}, getHeader() {} }, Buffer.alloc(bytes), () => undefined)
    return { read: () => end.forEach((one) => one()), isGivenUp: () => given }
  }
  const half = limits.unreadBytesPerLink / 2

  it('is bounded, and there is room again once something was read', () => {
    const first = ask('a', half)
    ask('a', half)
    expect(() => ask('a', 1)).toThrow('hasn’t been read')
    first.read()
    ask('a', half)
  })

  it('gives up what has waited longest where nothing of it was taken for a while', () => {
    const first = ask('a', half)
    now += 1_000
    const second = ask('a', half)
    expect(() => ask('a', 1)).toThrow()
    now += 1_500
    ask('a', half)
    expect([first.isGivenUp(), second.isGivenUp()]).toEqual([true, false])
  })

  it('is bounded for all links together, and no link pays for others that read', () => {
    const links = limits.unreadBytes / limits.unreadBytesPerLink
    for (let n = 0; n < links; n++) ask(`link ${n}`, limits.unreadBytesPerLink)
    expect(() => ask('other', 1)).toThrow('very much to send')
    now += 3_000
    ask('other', half)
    expect(answers.held.bytes).toBeLessThanOrEqual(limits.unreadBytes)
  })

  it('is kept where that was said, until its place is taken or it may come out better', () => {
    let makings = 0
    const give = (name: string, lasting = true) =>
      answers.shared(name, () => new Packed({}, Buffer.from(`${name} ${++makings}`), lasting), 'place')
    const text = (packed: unknown) => (packed as Packed).bytes.toString()
    expect([give('a'), give('a'), give('b'), give('b'), give('a')].map(text)).toEqual([
      'a 1',
      'a 1',
      'b 2',
      'b 2',
      'a 3',
    ])
    now += 3_600_000
    expect(text(give('a'))).toBe('a 3')
    expect([give('c', false), give('c', false)].map(text)).toEqual(['c 4', 'c 4'])
    now += 10_000
    expect([give('c'), give('c')].map(text)).toEqual(['c 5', 'c 5'])
  })

  it('is kept up to a bound, oldest gone first', () => {
    const made: string[] = []
    const give = (name: string, bytes: number) =>
      answers.shared(name, () => (made.push(name), new Packed({}, Buffer.alloc(bytes))), name)
    const mib = 1024 * 1024
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) void give(name, 12 * mib)
    expect(made).toEqual(['a', 'b', 'c', 'b'])
    void give('large', 33 * mib)
    void give('b', 12 * mib)
    expect(made).toEqual(['a', 'b', 'c', 'b', 'large'])
  })

  it('is made only so much of in a minute', () => {
    const read = () => ask('a', limits.visitorReadBytesPerMinute / 16).read()
    for (let n = 0; n < 16; n++) read()
    expect(read).toThrow('short time')
    ask('b', 1).read()
    now += 60_000
    read()
  })
})
