import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createGalley, type Galley } from './app.ts'
import type { Document } from './contract/records/documents.ts'
import type { NewApiKey } from './contract/records/keys.ts'
import type { Suggestion } from './contract/records/suggestions.ts'

let folder: string
let galley: Galley
let key: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'galley-app-'))
  galley = await createGalley({ dataFolder: folder, port: 0, sharePort: 0, logLevel: 'silent' })
  const ticket = galley.signInUrl().split('#')[1]
  const session = await fetch(`${galley.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  const cookie = session.headers.get('set-cookie')!.split(';')[0]!
  const made = await fetch(`${galley.url}/api/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ name: 'Test' }),
  })
  key = ((await made.json()) as { data: NewApiKey }).data.key
})
afterAll(async () => {
  await galley.close()
  rmSync(folder, { recursive: true })
})

async function call<T>(method: string, url: string, json?: unknown) {
  const response = await fetch(galley.url + url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const { data, error } = (await response.json()) as { data: T; error: { code: string } | null }
  return { status: response.status, data, code: error?.code ?? null }
}

/** Sends bytes as they are and reads until the other side is done, or has said so many answers. */
function exchange(bytes: string | Buffer, url = galley.url): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let answer = ''
    const quiet = setTimeout(() => socket.destroy(), 1_500)
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (answer += chunk))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
    socket.on('close', () => {
      clearTimeout(quiet)
      resolve(answer)
    })
  })
}
const host = () => new URL(galley.url).host
const statuses = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
const codes = (answer: string) => [...answer.matchAll(/"code":"(\w+)"/g)].map((match) => match[1])

describe('requests that are hardly HTTP', () => {
  it.each([
    ['nonsense', () => 'nonsense\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['TLS', () => Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc]), 400, 'VALIDATION_ERROR'],
    [
      'headers without end',
      () => `GET /api/me HTTP/1.1\r\nHost: ${host()}\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'an address without end',
      () => `GET /api/${'x'.repeat(40_000)} HTTP/1.1\r\nHost: ${host()}\r\n\r\n`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'two lengths',
      () =>
        `POST /api/documents HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a length and chunks',
      () =>
        `POST /api/documents HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a negative length',
      () => `POST /api/documents HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: -1\r\n\r\n`,
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a space before the colon',
      () => `GET /api/me HTTP/1.1\r\nHost : ${host()}\r\n\r\n`,
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a folded header',
      () => `GET /api/me HTTP/1.1\r\nHost: ${host()}\r\nA: b\r\n c\r\n\r\n`,
      400,
      'VALIDATION_ERROR',
    ],
    ['no host', () => 'GET /api/me HTTP/1.1\r\nConnection: close\r\n\r\n', 403, 'FORBIDDEN'],
    ['an old version without a host', () => 'GET /api/me HTTP/1.0\r\n\r\n', 403, 'FORBIDDEN'],
    ['an empty host', () => 'GET /api/me HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 403, 'FORBIDDEN'],
    [
      'another host in the address',
      () => `GET http://evil.example/api/me HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      403,
      'FORBIDDEN',
    ],
    [
      'a path that goes up',
      () => `GET /api/x/../me HTTP/1.1\r\nHost: ${host()}\r\nConnection: close\r\n\r\n`,
      404,
      'NOT_FOUND',
    ],
    ['a star', () => `OPTIONS * HTTP/1.1\r\nHost: ${host()}\r\nConnection: close\r\n\r\n`, 404, 'NOT_FOUND'],
    [
      'an upgrade',
      () => `GET /api/me HTTP/1.1\r\nHost: ${host()}\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
      401,
      'UNAUTHORIZED',
    ],
    [
      'an expectation nobody knows',
      () => `GET /api/me HTTP/1.1\r\nHost: ${host()}\r\nExpect: miracles\r\nConnection: close\r\n\r\n`,
      401,
      'UNAUTHORIZED',
    ],
  ])('%s gets the envelope', async (_name, bytes, status, code) => {
    const answer = await exchange(bytes())
    expect([statuses(answer), codes(answer)]).toEqual([[status], [code]])
    expect(answer).toMatch(/\{"data":null,"error":\{"message":"[^"]+","code":"\w+"\}\}/)
    expect(answer).not.toMatch(/node:|\n\s+at /)
  })

  it('closed by the client in mid-body leave the server well', async () => {
    const { hostname, port } = new URL(galley.url)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/documents HTTP/1.1\r\nHost: ${host()}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"title"`,
        )
        setTimeout(() => socket.destroy(), 50)
      })
      socket.on('close', () => resolve())
    })
    expect((await call('GET', '/api/me')).status).toBe(200)
  })

  it('in one go are answered in order, each by its own credentials', async () => {
    const one = (method: string, path: string, more = '') =>
      `${method} ${path} HTTP/1.1\r\nHost: ${host()}\r\n${more}\r\n`
    const auth = `Authorization: Bearer ${key}\r\n`
    const answer = await exchange(
      one('GET', '/api/me', auth) +
        one('GET', '/api/me') +
        one('POST', '/api/documents', `${auth}Content-Type: application/json\r\nContent-Length: 2\r\n`) +
        '{}' +
        one('POST', '/api/documents', `Content-Type: text/plain\r\nContent-Length: 30\r\n`) +
        'GET /api/me HTTP/1.1\r\nA: bcdef' +
        one('GET', '/api/me', `${auth}Connection: close\r\n`),
    )
    expect(statuses(answer)).toEqual([200, 401, 201, 403, 200])
  })

  it('with too large a body are told so', async () => {
    const long = { body: 'x'.repeat(3 * 1024 * 1024) }
    const { data } = await call<Document>('POST', '/api/documents', {})
    expect((await call('POST', `/api/documents/${data.id}/comments`, long)).code).toBe('PAYLOAD_TOO_LARGE')
    const chunked = await fetch(`${galley.url}/api/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: new Blob(['{"name":"', 'x'.repeat(3 * 1024 * 1024), '"}']).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(413)
  })

  const big = Buffer.alloc(16 * 1024 * 1024, 'x')
  /** What a client that wants no second answer gets to read, which it does only once it has sent all of its body. */
  const sendAll = async (path: string, headers: string) => {
    const { hostname, port } = new URL(galley.url)
    const socket = connect(Number(port), hostname)
    const head = `POST ${path} HTTP/1.1\r\nConnection: close\r\nContent-Length: ${big.length}\r\n${headers}\r\n`
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.write(head)
      socket.write(big, () => resolve())
    })
    return text(socket)
  }
  it.each([
    ['too large a body', () => `Host: ${host()}\r\nAuthorization: Bearer ${key}\r\n`, 413],
    ['no credentials', () => `Host: ${host()}\r\n`, 401],
    ['a foreign host', () => 'Host: evil.example\r\n', 403],
  ])('are told so where they send %s and close the connection', async (_, headers, status) => {
    const answer = await sendAll('/api/keys', `${headers()}Content-Type: application/json\r\n`)
    expect(statuses(answer)).toEqual([status])
    // Or a client that keeps connections would use this one once more, just when it is closed.
    expect(answer).toMatch(/^connection: close\r$/im)
  })
})

describe('at once, over real connections', () => {
  it('of two accepts one wins and the other is ALREADY_RESOLVED', async () => {
    const { data } = await call<Document>('POST', '/api/documents', { content: 'one '.repeat(50) })
    const at = `/api/documents/${data.id}/suggestions`
    for (let round = 0; round < 10; round++) {
      const made = await call<Suggestion>('POST', at, { original_text: 'one', suggested_text: 'two' })
      const answers = await Promise.all(
        ['accept', 'accept', 'reject'].map((how) => call('POST', `${at}/${made.data.id}/${how}`)),
      )
      expect(answers.map((one) => one.code).toSorted()).toEqual([
        'ALREADY_RESOLVED',
        'ALREADY_RESOLVED',
        null,
      ])
    }
  })

  it('of many patches each acknowledged text is in the versions', async () => {
    const { data } = await call<Document>('POST', '/api/documents', { content: 'start' })
    const at = `/api/documents/${data.id}`
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        call<Document>('PATCH', at, { content: `text ${i} ${'x'.repeat(i * 100)}` }),
      ),
    )
    expect(new Set(answers.map((one) => one.data.revision)).size).toBe(40)
    expect(new Set(answers.map((one) => one.data.updated_at)).size).toBe(40)
    const { data: versions } = await call<{ revision: number }[]>('GET', `${at}/versions`)
    const kept = await Promise.all(
      versions.map(
        async ({ revision }) => (await call<Document>('GET', `${at}/versions/${revision}`)).data.content,
      ),
    )
    for (const { data: acknowledged } of answers) expect(kept).toContain(acknowledged.content)
    expect(kept).toContain('start')
  })
})

describe('the two listeners', () => {
  it('answer to their own addresses only', async () => {
    const share = new URL(galley.shareUrl).host
    for (const [url, name, status] of [
      [galley.url, host(), 401],
      [galley.url, host().replace('127.0.0.1', 'localhost'), 401],
      [galley.url, host().replace('127.0.0.1', '[::1]'), 401],
      [galley.url, share, 403],
      [galley.url, '127.0.0.1', 403],
      [galley.url, `evil.example:${new URL(galley.url).port}`, 403],
      [galley.url, `127.0.0.1.evil.example:${new URL(galley.url).port}`, 403],
      [galley.url, `127.0.0.1:${new URL(galley.url).port}, evil.example`, 403],
      [galley.url, `evil.example#${host()}`, 403],
      [galley.url, `user@${host()}`, 403],
      [galley.shareUrl, host(), 403],
      [galley.shareUrl, share, 404],
    ] as const) {
      const answer = await exchange(`GET /api/me HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`, url)
      expect([name, statuses(answer)]).toEqual([name, [status]])
    }
    const twice = `GET /api/me HTTP/1.1\r\nHost: ${host()}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`
    expect([[400], [401], [403]]).toContainEqual(statuses(await exchange(twice)))
  })

  it('are named in server.json while they run, for its owner’s eyes only', () => {
    const file = path.join(folder, 'server.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      url: galley.url,
      shareUrl: galley.shareUrl,
      pid: process.pid,
      version: expect.any(String),
    })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('a session made for a window', () => {
  it('is the machine’s own user’s, by cookie alone', async () => {
    const { name, value } = galley.createSession()
    const cookie = `${name}=${value}`
    const me = await fetch(`${galley.url}/api/me`, { headers: { cookie } })
    expect(me.status).toBe(200)
    expect(galley.createSession().value).not.toBe(value)
  })

  it('has a name of its own in each data folder, so that two on one machine leave each other alone', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'galley-app-'))
    const other = await createGalley({ dataFolder: own, port: 0, sharePort: 0 })
    const names = [galley, other].map((one) => one.createSession().name)
    expect(names[0]).toMatch(/^galley_session_[0-9a-f]{8}$/)
    expect(names[1]).not.toBe(names[0])
    expect(await (await fetch(`${other.url}/api/openapi.json`)).text()).toContain(names[1])
    await other.close()
    rmSync(own, { recursive: true })
  })
})

describe('a request that comes while Galley stops', () => {
  it('is answered like any other, and then the connection is closed', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'galley-app-'))
    const other = await createGalley({ dataFolder: own, port: 0, sharePort: 0 })
    const { hostname, port, host } = new URL(other.url)
    const socket = connect(Number(port), hostname)
    const { name, value } = other.createSession()
    const head = `Host: ${host}\r\nCookie: ${name}=${value}\r\n`
    let answers = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (answers += chunk))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    // It keeps the connection until its body is there.
    socket.write(
      `POST /api/documents HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    const stopped = other.close()
    socket.write(`{}GET /api/me HTTP/1.1\r\n${head}\r\n`)
    await stopped
    await closed
    expect(statuses(answers)).toEqual([201, 200])
    rmSync(own, { recursive: true })
  })
})

// Other systems than these give the machine only one of them.
describe.runIf(['linux', 'win32'].includes(process.platform))('another loopback address', () => {
  it('is answered to where it was asked for', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'galley-app-'))
    const other = await createGalley({ dataFolder: own, host: '127.0.0.2', port: 0, sharePort: 0 })
    expect(other.url).toContain('//127.0.0.2:')
    expect((await fetch(`${other.url}/api/openapi.json`)).status).toBe(200)
    await other.close()
    rmSync(own, { recursive: true })
  })
})

describe('a port that was asked for and is taken', () => {
  it('is told apart from a folder that is in use', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'galley-app-'))
    const port = Number(new URL(galley.url).port)
    await expect(createGalley({ dataFolder: own, port, sharePort: 0 })).rejects.toMatchObject({
      name: 'OpenError',
      reason: 'port',
    })
    await expect(createGalley({ dataFolder: folder, port: 0, sharePort: 0 })).rejects.toMatchObject({
      reason: 'in use',
    })
    rmSync(own, { recursive: true })
  })
})

describe('a port that is preferred', () => {
  const startOn = async (preferredPort: number) => {
    const own = mkdtempSync(path.join(tmpdir(), 'galley-app-'))
    const one = await createGalley({ dataFolder: own, preferredPort, sharePort: 0, logLevel: 'silent' })
    await one.close()
    rmSync(own, { recursive: true })
    return Number(new URL(one.url).port)
  }

  it('is taken if it is free', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    holder.close()
    await once(holder, 'close')
    expect(await startOn(port)).toBe(port)
  })

  it('is left to whoever has it, and another is taken', async () => {
    const port = Number(new URL(galley.url).port)
    const other = await startOn(port)
    expect(other).toBeGreaterThan(0)
    expect(other).not.toBe(port)
  })
})

describe('closing', () => {
  it('is done though an owner’s page connects again while somebody elsewhere keeps the other listener busy', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'galley-app-'))
    const one = await createGalley({ dataFolder: own, port: 0, sharePort: 0, logLevel: 'silent' })
    const { name, value } = one.createSession()
    const open = () =>
      new WebSocket(`${one.url.replace('http', 'ws')}/api/live`, { headers: { cookie: `${name}=${value}` } })
    const share = new URL(one.shareUrl)
    const slow = connect(Number(share.port), share.hostname)
    slow.on('error', () => slow.destroy())
    slow.write(`GET /share/x HTTP/1.1\r\nHost: ${share.host}\r\n`)
    const page = open()
    await once(page, 'open')
    const closed = one.close()
    await once(page, 'close')
    await expect(once(open(), 'open')).rejects.toThrow()
    slow.destroy()
    await closed
    rmSync(own, { recursive: true })
  })
})

describe('a data folder', () => {
  it('has one server: a second start says who holds it', async () => {
    await expect(createGalley({ dataFolder: folder, port: 0, sharePort: 0 })).rejects.toThrow(
      new RegExp(`in use by Galley .* \\(process ${process.pid}\\) at ${galley.url}`),
    )
    expect((await call('GET', '/api/me')).status).toBe(200)
  })

  it('is let go of by closing, with everything in it, and opened again', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'galley-app-'))
    const first = await createGalley({ dataFolder: own, port: 0, sharePort: 0, logLevel: 'silent' })
    const ticket = first.signInUrl().split('#')[1]
    await first.close()
    expect(existsSync(path.join(own, 'server.json'))).toBe(false)
    await expect(fetch(first.url)).rejects.toThrow()
    const second = await createGalley({ dataFolder: own, port: 0, sharePort: 0, logLevel: 'silent' })
    const answer = await fetch(`${second.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ticket }),
    })
    expect(answer.status).toBe(201)
    await second.close()
    rmSync(own, { recursive: true })
  })

  it('is let go of though a part can’t be closed, and that is told', async () => {
    const own = mkdtempSync(path.join(tmpdir(), 'galley-app-'))
    const first = await createGalley({ dataFolder: own, port: 0, sharePort: 0, logLevel: 'silent' })
    const facts = path.join(own, 'server.json')
    rmSync(facts)
    mkdirSync(facts)
    await expect(first.close()).rejects.toThrow(/could not close all.*directory/)
    await expect(fetch(first.url)).rejects.toThrow()
    rmSync(facts, { recursive: true })
    const second = await createGalley({ dataFolder: own, port: 0, sharePort: 0, logLevel: 'silent' })
    await second.close()
    rmSync(own, { recursive: true })
  })
})
