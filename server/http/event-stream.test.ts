import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limits } from '../contract/limits.ts'
import type { ApiKey } from '../contract/records/keys.ts'
import type { EventRecord } from '../contract/records/events.ts'
import { createTestGalley, hosts, type TestGalley } from '../testing/galley.ts'

let galley: TestGalley
let address: string
beforeEach(async () => {
  galley = await createTestGalley()
  await galley.apps.owner.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(galley.apps.owner.server.address() as AddressInfo).port}`
})
afterEach(() => galley.close())

const open = new Set<AbortController>()
afterEach(() => {
  for (const one of open) one.abort()
  open.clear()
})

/** What a client has been told, and where it would go on from. */
async function listen(query = '', headers: Record<string, string> = {}) {
  const leaving = new AbortController()
  open.add(leaving)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(
      `${address}/api/events${query}`,
      {
        headers: {
          host: hosts.owner,
          accept: 'text/event-stream',
          authorization: `Bearer ${galley.as.owner.key}`,
          ...headers,
        },
        signal: leaving.signal,
      },
      resolve,
    )
      .on('error', reject)
      .end()
  })
  const heard: EventRecord[] = []
  const client = {
    status: answer.statusCode,
    headers: answer.headers,
    heard,
    at: '',
    text: '',
    isOver: false,
  }
  let rest = ''
  answer.setEncoding('utf8')
  answer.on('data', (text: string) => {
    client.text += text
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks)
      for (const line of block.split('\n')) {
        if (line.startsWith('id: ')) client.at = line.slice(4)
        if (line.startsWith('data: ')) heard.push(JSON.parse(line.slice(6)) as EventRecord)
      }
  })
  answer.on('end', () => (client.isOver = true))
  answer.on('error', () => (client.isOver = true))
  return { ...client, client, leave: () => leaving.abort() }
}
const soon = (assertion: () => void) => vi.waitFor(assertion, { timeout: 20_000, interval: 20 })

it('tells events as they happen, each once, and goes on from the last that was heard', async () => {
  await galley.newDocument()
  const first = await listen()
  expect(first.status).toBe(200)
  expect(first.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const { id } = await galley.newDocument()
  await soon(() => expect(first.heard.map(({ document_id }) => document_id)).toEqual([id]))
  first.leave()
  const comment = await galley.newComment(id)
  const again = await listen('?since=0', { 'last-event-id': String(first.client.at) })
  await galley.newComment(id)
  await soon(() =>
    expect(again.heard.map(({ kind }) => kind)).toEqual(['comment.created', 'comment.created']),
  )
  expect(again.heard[0]!.subject_id).toBe(comment.id)
  expect(Number(again.client.at)).toBe(again.heard[1]!.seq)
})

it('says of no event that it was heard before it is told', async () => {
  for (let i = 0; i < 3; i++) await galley.newDocument()
  const { client } = await listen('?since=0')
  await soon(() => expect(client.heard).toHaveLength(3))
  const ids = [...client.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  expect(ids).toEqual(ids.toSorted((one, other) => one - other))
  expect(ids[0]).toBe(client.heard[0]!.seq)
})

it('tells only what is asked for, and from the beginning where that is', async () => {
  const { id } = await galley.newDocument()
  await galley.newComment(id)
  const some = await listen('?since=0&kind=comment')
  await soon(() => expect(some.heard.map(({ kind }) => kind)).toEqual(['comment.created']))
})

it('ends when the key is deleted', async () => {
  const made = await galley.call('POST', '/api/keys', { as: galley.as.owner, json: { name: 'Listener' } })
  const { id, key } = made.data as ApiKey & { key: string }
  const { client } = await listen('', { authorization: `Bearer ${key}` })
  await galley.call('DELETE', `/api/keys/${id}`, { as: galley.as.owner })
  await soon(() => expect(client.isOver).toBe(true))
  expect(client.heard.every(({ kind }) => kind === 'key.deleted')).toBe(true)
})

it('answers what is wrong as ever', async () => {
  for (const [query, headers, status, field] of [
    ['?kind=nothing', {}, 400, 'kind'],
    ['?since=x', {}, 400, 'since'],
    ['', { 'last-event-id': '999999' }, 400, 'Last-Event-ID'],
    ['', { 'last-event-id': 'x' }, 400, 'Last-Event-ID'],
    ['', { authorization: 'Bearer gally_' }, 401, undefined],
  ] as const) {
    const { client } = await listen(query, headers)
    await soon(() => expect(client.isOver).toBe(true))
    expect(client.status).toBe(status)
    const { error } = JSON.parse(client.text) as { error: { message: string; field?: string } }
    expect(error.field).toBe(field)
    expect(error.message).toContain(field ?? 'Unauthorized')
  }
})

it('is open only so often at one time, and those that have left don’t count', async () => {
  const streams = []
  for (let i = 0; i < limits.keyStreams; i++) streams.push(await listen())
  expect((await listen()).status).toBe(429)
  // Another key of the account has its own, and an account as many as some keys have.
  const byKey = (key: string) => listen('', { authorization: `Bearer ${key}` })
  const others = [1, 2].map(() => galley.newKey(galley.user.id, 'read'))
  for (const key of others)
    for (let i = 0; i < limits.keyStreams; i++) expect((await byKey(key)).status).toBe(200)
  expect((await byKey(galley.newKey(galley.user.id, 'read'))).status).toBe(429)
  expect((await byKey(galley.as.stranger.key)).status).toBe(200)
  streams[0]!.leave()
  await vi.waitFor(async () => expect((await listen()).status).toBe(200), { timeout: 20_000 })
})

it('ends when Galley stops', async () => {
  const { client } = await listen()
  galley.context.feed.close()
  await soon(() => expect(client.isOver).toBe(true))
})
