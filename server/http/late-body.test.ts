import { Readable } from 'node:stream'
import type { HTTPMethods } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Comment } from '../contract/records/comments.ts'
import { routes } from '../contract/routes.ts'
import { cookieOf, createTestGalley, hosts, type TestGalley } from '../testing/galley.ts'
import { sampleRequest, routeNames, urlOf } from '../testing/routes.ts'
import { changes } from '../contract/route.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

/** Sends a body in two parts; `between` happens before the second one comes. */
async function sendSlowly(
  url: string,
  headers: object,
  json: object,
  between: () => unknown,
  { method = 'PATCH', on = 'owner' }: { method?: HTTPMethods; on?: 'owner' | 'share' } = {},
) {
  const text = JSON.stringify(json)
  const half = Math.floor(text.length / 2)
  async function* parts() {
    yield text.slice(0, half)
    await new Promise((resolve) => setImmediate(resolve))
    await between()
    yield text.slice(half)
  }
  const answer = await galley.apps[on].inject({
    method,
    url,
    headers: {
      host: hosts[on],
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      ...headers,
    },
    payload: Readable.from(parts()),
  })
  return answer.statusCode
}

test('a link that is revoked or expires while a text is sent writes nothing', async () => {
  const { id } = await galley.newDocument({ content: 'Before' })
  const url = `/api/documents/${id}`
  const expiry = new Date(galley.clock.now + 60_000).toISOString()
  const send = async (token: string, between: () => unknown, content = 'After') =>
    sendSlowly(`${url}?share_token=${token}`, {}, { content }, between)
  const text = async () => (await galley.call('GET', url, { as: galley.as.owner })).data.content as string

  const revoked = await galley.newToken(id, 'edit')
  const link = galley.store.shareLinks.findValid(revoked)!
  expect(await send(revoked, () => galley.store.shareLinks.revoke(link.id, link.document))).toBe(401)
  const expired = await galley.newToken(id, 'edit', expiry)
  expect(await send(expired, () => (galley.clock.now += 60_000))).toBe(401)
  expect(await text()).toBe('Before')
  expect(await send(await galley.newToken(id, 'edit'), () => undefined)).toBe(200)
  expect(await text()).toBe('After')
})

test('a key that is deleted while a text is sent writes nothing', async () => {
  const { id } = await galley.newDocument({ content: 'Before' })
  const { key, row } = galley.store.apiKeys.create(galley.user.id, {
    name: 'Late',
    access: 'full',
    expiresAt: null,
  })
  const status = await sendSlowly(
    `/api/documents/${id}`,
    { authorization: `Bearer ${key}` },
    { content: 'After' },
    () => galley.store.apiKeys.delete(row.id, galley.user.id),
  )
  expect(status).toBe(401)
  const { data } = await galley.call('GET', `/api/documents/${id}`, { as: galley.as.owner })
  expect(data.content).toBe('Before')
})

const changing = routeNames.filter((name) => routes[name].about !== 'sign-in' && changes(routes[name]))
test.each(changing)('%s does nothing for a key that is deleted while a body is sent', async (name) => {
  const { key, row } = galley.store.apiKeys.create(galley.user.id, {
    name: 'Late',
    access: 'full',
    expiresAt: null,
  })
  const draft = await sampleRequest(galley, name)
  galley.events.length = 0
  const status = await sendSlowly(
    urlOf(name, draft),
    { ...draft.headers, authorization: `Bearer ${key}` },
    draft.json ?? {},
    () => galley.store.apiKeys.delete(row.id, galley.user.id),
    { method: routes[name].method },
  )
  expect([status, galley.events]).toEqual([401, []])
})

test('a guest whose link is revoked while a body is sent deletes nothing, though none is wanted', async () => {
  const { id } = await galley.newDocument()
  const deleteSlowly = async (between: (token: string) => unknown) => {
    const token = await galley.newToken(id, 'comment')
    const made = await galley.call('POST', `/api/documents/${id}/comments`, {
      as: { token },
      on: 'share',
      json: { body: 'Mine', author_name: 'Ann' },
    })
    const guest = cookieOf(made, 'galley_guest')!
    const { id: comment } = made.data as Comment
    return sendSlowly(
      `/api/documents/${id}/comments/${comment}?share_token=${token}`,
      { cookie: `galley_guest=${guest}` },
      {},
      () => between(token),
      { method: 'DELETE', on: 'share' },
    )
  }
  const count = async () =>
    ((await galley.call('GET', `/api/documents/${id}/comments`, { as: galley.as.owner })).data as Comment[])
      .length
  const revoke = (token: string) => {
    const link = galley.store.shareLinks.findValid(token)!
    galley.store.shareLinks.revoke(link.id, link.document)
  }
  expect([await deleteSlowly(revoke), await count()]).toEqual([401, 1])
  expect([await deleteSlowly(() => undefined), await count()]).toEqual([200, 1])
})

test('what is still being written as its link or key expires is not written', async () => {
  const { id } = await galley.newDocument({ content: 'Before' })
  const url = `/api/documents/${id}`
  const ends = galley.clock.now + 60_000
  const token = await galley.newToken(id, 'edit', new Date(ends).toISOString())
  const fields = { name: 'Brief', access: 'full', expiresAt: ends } as const
  const { key } = galley.store.apiKeys.create(galley.user.id, fields)
  const { documents } = galley.store
  const { change } = documents
  const begins = galley.clock.now
  for (const as of [{ token }, { key }]) {
    for (const [endsWhile, status] of [
      [ends - 1, 200],
      [ends, 401],
    ] as const) {
      galley.clock.now = begins
      documents.change = (...of) => {
        const row = change(...of)
        galley.clock.now = endsWhile
        return row
      }
      const {
        revision,
        text: { whole: before },
      } = documents.find(id)!
      const content = `After ${JSON.stringify(as)} ${endsWhile}`
      for (const headers of [{}, { 'idempotency-key': `while-it-ends-${JSON.stringify(as).slice(0, 20)}` }]) {
        const answer = await galley.call('PATCH', url, { as, json: { content }, headers })
        expect(answer.status).toBe(status)
        galley.clock.now = begins
      }
      const after = documents.find(id)!
      expect(after.text.whole).toBe(status === 200 ? content : before)
      if (status === 401) expect(after.revision).toBe(revision)
    }
  }
})
