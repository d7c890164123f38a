import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApiError } from './client-of.ts'
import { createApiClient, type ApiClient } from './client.ts'

/** What stands at the address where Galley ought to be, in each test another. */
let answer: (request: IncomingMessage, response: ServerResponse) => void
const asked: IncomingMessage[] = []
const server = createServer((request, response) => {
  asked.push(request)
  request.resume().on('end', () => answer(request, response))
})
let api: ApiClient
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked.length = 0
  api = createApiClient({ base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})

const json = (status: number, body: unknown) => (_: unknown, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const page =
  (status: number, headers = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<h1>Welcome</h1>')
const broken = (request: IncomingMessage) => void request.socket.destroy()

const comment = (body: string) => api.call('createComment', { params: { id: 'a' }, body: { body } })
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error as ApiError).code,
  )

it('sends no half of a character, which would have all of it refused', async () => {
  let sent = ''
  answer = (request, response) => json(201, { data: {}, error: null })(request, response)
  server.once('request', (request: IncomingMessage) => request.on('data', (part) => (sent += String(part))))
  await api.call('createComment', {
    params: { id: 'a' },
    body: { body: 'Cut \ud83d', author_name: '\ude00 whole 😀' },
  })
  expect(JSON.parse(sent)).toEqual({ body: 'Cut \ufffd', author_name: '\ufffd whole 😀' })
})

const keys = () => asked.map(({ headers }) => headers['idempotency-key'])

it('tells in which revision an answer has its places, where that is said', async () => {
  const told: number[] = []
  const list = () =>
    api.call('listComments', { params: { id: 'a' }, placedIn: (revision) => told.push(revision) })
  answer = json(200, { data: [], error: null })
  await list()
  answer = (request, response) => {
    response.setHeader('galley-revision', '12')
    json(200, { data: [], error: null })(request, response)
  }
  await list()
  expect(told).toEqual([12])
})

describe('a POST', () => {
  it('has a key of its own each time', async () => {
    answer = json(201, { data: {}, error: null })
    await comment('One')
    await comment('One')
    expect(new Set(keys()).size).toBe(2)
    expect(String(keys()[0])).toMatch(/^[0-9a-f]{32}$/)
  })

  it.each([
    ['nothing', broken, 'OFFLINE'],
    ['a page of a proxy', page(502), 'BAD_ANSWER'],
  ] as const)('that got %s is made again under the same key, until it is answered', async (_, got, code) => {
    answer = got
    expect(await failure(comment('One'))).toBe(code)
    expect(await failure(comment('One'))).toBe(code)
    await failure(comment('Two'))
    answer = json(201, { data: {}, error: null })
    await comment('One')
    await comment('One')
    const [first, second, other, answered, next] = keys()
    expect([second, answered]).toEqual([first, first])
    expect(new Set([first, other, next]).size).toBe(3)
  })

  it('that was refused is another one when it is made again', async () => {
    answer = json(500, { data: null, error: { code: 'DB_ERROR', message: 'Database error' } })
    expect(await failure(comment('One'))).toBe('DB_ERROR')
    await failure(comment('One'))
    expect(new Set(keys()).size).toBe(2)
  })

  it('uses the key it is given', async () => {
    answer = broken
    const body = { body: 'One' }
    await failure(api.call('createComment', { params: { id: 'a' }, body, idempotencyKey: 'given' }))
    expect(keys()).toEqual(['given'])
  })
})

it('asks without a key where nothing is made', async () => {
  answer = json(200, { data: [], error: null })
  await api.call('listComments', { params: { id: 'a' } })
  expect(keys()).toEqual([undefined])
})

describe('an answer that isn’t Galley’s is none:', () => {
  it.each([
    ['a hotel’s page, said to be fine', page(200)],
    ['a tunnel’s page', page(530)],
    ['a tunnel that knows no such address', page(404, { 'ngrok-error-code': 'ERR_NGROK_3200' })],
    ['an error in another’s JSON', json(502, { error: { code: 502, message: 'Application failed' } })],
    ['an error that says it is fine', json(200, { data: null, error: { code: 'NO', message: 'No' } })],
    ['fine, but said to be an error', json(503, { data: [], error: null })],
    ['any other JSON', json(200, ['data', 'error'])],
    ['JSON without an error', json(200, { data: [] })],
  ])('%s', async (_, got) => {
    answer = got
    expect(await failure(api.call('listComments', { params: { id: 'a' } }))).toBe('BAD_ANSWER')
  })
})
