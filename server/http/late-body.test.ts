import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestGalley, hosts, type TestGalley } from '../test-galley.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

/** Sends a body in two parts; `between` happens before the second one comes. */
async function sendSlowly(url: string, headers: object, json: object, between: () => unknown) {
  const text = JSON.stringify(json)
  async function* parts() {
    yield text.slice(0, 10)
    await new Promise((resolve) => setImmediate(resolve))
    await between()
    yield text.slice(10)
  }
  const answer = await galley.apps.owner.inject({
    method: 'PATCH',
    url,
    headers: {
      host: hosts.owner,
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
  expect(await send(revoked, () => galley.store.shareLinks.delete(link.id, link.document))).toBe(401)
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
