import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'
import { startReceiver } from '../../webhooks/testing/receiver.ts'
import { createDispatcher } from '../../webhooks/dispatcher.ts'
import { systemResolve } from '../../webhooks/addresses.ts'
import { createPost } from '../../webhooks/post.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

const ask = (method: string, url = '', json?: unknown, as = galley.as.owner) =>
  galley.call(method, `/api/webhooks${url}`, { as, ...(json === undefined ? {} : { json }) })
const url = 'https://hooks.example.org/galley?for=me'

test('the secret is told once, and the address only to whoever has full access', async () => {
  const made = await ask('POST', '', { url, kinds: ['comment', 'comment'] })
  const { secret, ...listed } = made.data
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(listed).toMatchObject({
    ...{ url, kinds: ['comment'], documents: null, inner_network: false, active: true, off_reason: null },
    ...{ waiting: 0, failing_since: null, last_error: null, last_delivered_at: null },
  })
  expect((await ask('GET')).data).toEqual([listed])
  expect((await ask('GET')).text).not.toContain('whsec_')
  for (const access of ['read', 'manage'] as const)
    expect((await ask('GET', '', undefined, { key: galley.newKey(galley.user.id, access) })).status).toBe(403)
  // Somebody else's isn't there.
  expect((await ask('GET', '', undefined, galley.as.stranger)).data).toEqual([])
  for (const [method, path, json] of [
    ['PATCH', '', { active: false }],
    ['DELETE', ''],
    ['POST', '/ping'],
    ['GET', '/deliveries'],
  ] as const)
    expect((await ask(method, `/${listed.id}${path}`, json, galley.as.stranger)).code).toBe('NOT_FOUND')
})

test('what is no address, or one of the inner network, isn’t taken', async () => {
  for (const wrong of [
    ...[
      'no address',
      'ftp://hooks.example.org/',
      'http://hooks.example.org/',
      'https://hooks.example.org/#part',
    ],
    ...['https://me:secret@hooks.example.org/', 'https://localhost/', 'https://a.localhost./'],
    ...['https://10.0.0.1/', 'https://0x7f000001/', 'https://[::1]/', 'https://[::ffff:192.168.0.1]/'],
  ]) {
    const answer = await ask('POST', '', { url: wrong })
    expect([wrong, answer.code, answer.field]).toEqual([wrong, 'VALIDATION_ERROR', 'url'])
  }
})

test('what is of the inner network is taken where that is allowed, and only for that webhook', async () => {
  const inner = { url: 'http://192.168.0.7:9000/hook', inner_network: true }
  const { id } = (await ask('POST', '', inner)).data
  expect((await ask('PATCH', `/${id}`, { inner_network: false })).code).toBe('VALIDATION_ERROR')
  expect((await ask('PATCH', `/${id}`, { url: 'http://localhost:1/' })).data.url).toBe('http://localhost:1/')
  expect((await ask('POST', '', { url: inner.url })).code).toBe('VALIDATION_ERROR')
})

test('only the user this machine belongs to sends into its network', async () => {
  const { stranger } = galley.as
  const inner = { url: 'http://192.168.0.7:9000/hook', inner_network: true }
  const { id } = (await ask('POST', '', { url }, stranger)).data
  for (const answer of [
    await ask('POST', '', inner, stranger),
    await ask('PATCH', `/${id}`, { inner_network: true }, stranger),
    await ask('PATCH', `/${id}`, inner, stranger),
  ]) {
    expect([answer.status, answer.code]).toEqual([403, 'FORBIDDEN'])
    expect(answer.message).toContain('Leave “inner_network” out')
  }
  // That it isn't is everybody's to say.
  expect((await ask('PATCH', `/${id}`, { inner_network: false }, stranger)).status).toBe(200)
  const refused = await ask('POST', '', { url: 'https://10.0.0.1/' }, stranger)
  expect(refused.message).not.toContain('Allow')
  expect((await ask('GET', '', undefined, stranger)).data).toMatchObject([{ url, inner_network: false }])
  const owns = async (as: typeof stranger) =>
    (await galley.call('GET', '/api/me', { as })).data.owns_machine as boolean
  expect([await owns(stranger), await owns(galley.as.owner)]).toEqual([false, true])
})

test('kinds and documents have to be some there are, and there is an end to webhooks', async () => {
  expect((await ask('POST', '', { url, kinds: ['comment', 'nothing'] })).field).toBe('kinds')
  expect((await ask('POST', '', { url, documents: [crypto.randomUUID()] })).code).toBe('VALIDATION_ERROR')
  const document = await galley.newDocument()
  const { id } = (await ask('POST', '', { url, documents: [document.id.toUpperCase()] })).data
  expect((await ask('GET')).data[0].documents).toEqual([document.id])
  await galley.call('DELETE', `/api/documents/${document.id}`, { as: galley.as.owner })
  // What was chosen is no fault of what is changed later.
  expect((await ask('PATCH', `/${id}`, { kinds: null })).data).toMatchObject({ documents: [document.id] })
  for (let made = 1; made < limits.webhooks; made++) await ask('POST', '', { url })
  expect((await ask('POST', '', { url })).code).toBe('VALIDATION_ERROR')
})

test('what happens to a webhook is an event', async () => {
  const { id } = (await ask('POST', '', { url })).data
  await ask('PATCH', `/${id}`, { active: false })
  await ask('DELETE', `/${id}`)
  expect(galley.events.map(({ kind, subjectId }) => [kind, subjectId])).toEqual([
    ['webhook.created', id],
    ['webhook.changed', id],
    ['webhook.deleted', id],
  ])
  expect((await ask('GET')).data).toEqual([])
})

test('a test, what became of it, and what is sent again, over a real connection', async () => {
  const receiver = await startReceiver()
  const dispatcher = createDispatcher({
    ...{ store: galley.store, publish: galley.context.publish, listen: () => galley.context.feed.listen() },
    ...{ post: createPost(systemResolve()), onStopped: () => {}, onFailure: () => {} },
  })
  galley.context.webhooks = dispatcher
  const { id } = (await ask('POST', '', { url: receiver.url, inner_network: true, kinds: ['document'] })).data
  const { data: ping } = await ask('POST', `/${id}/ping`)
  expect(ping).toMatchObject({ status: 'waiting', event: null, attempts: 0 })
  await expect.poll(() => receiver.received.length).toBe(1)
  const document = await galley.newDocument()
  dispatcher.soon()
  await expect.poll(() => receiver.received.length).toBe(2)
  const listed = async (query = '') => (await ask('GET', `/${id}/deliveries${query}`)).data
  await expect.poll(async () => (await listed('?status=delivered')).length).toBe(2)
  const [second, first] = await listed()
  expect([second.id, first.id]).toEqual([receiver.received[1]!.id, ping.id])
  expect(second).toMatchObject({
    ...{ status: 'delivered', attempts: 1, response_status: 204, error: null, next_attempt_at: null },
    event: { kind: 'document.created', document_id: document.id },
  })
  const events = (await galley.call('GET', '/api/events?kind=document', { as: galley.as.owner })).data
  expect([receiver.received[1]!.body.data, second.event]).toEqual([events[0], events[0]])
  expect((await ask('POST', `/${id}/deliveries/${second.id}/redeliver`)).data.status).toBe('waiting')
  await expect.poll(() => receiver.received[2]?.id).toBe(second.id)
  await expect.poll(async () => (await listed('?limit=1'))[0].attempts).toBe(2)
  expect((await listed('?limit=1&offset=1'))[0].id).toBe(first.id)
  expect((await ask('GET')).data[0]).toMatchObject({ waiting: 0, last_delivered_at: expect.any(String) })
  await dispatcher.close()
})
