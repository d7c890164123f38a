import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Sharing } from '../../contract/routes/share-links.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let id: string
beforeEach(async () => {
  galley = await createTestGalley()
  id = (await galley.newDocument({ content: 'One.' })).id
})
afterEach(() => galley.close())

const url = '/api/sharing'
const read = async (as: TestCredentials = galley.as.owner) =>
  (await galley.call('GET', url, { as })).data as Sharing
const set = (stopped: unknown, as: TestCredentials = galley.as.owner) =>
  galley.call('PATCH', url, { as, json: { stopped } })
const page = async (token: string) =>
  (await galley.apps.share.inject({ url: `/share/${token}`, headers: { host: '127.0.0.1:4781' } })).statusCode

it('goes on until it is stopped', async () => {
  await galley.newToken(id, 'view')
  expect(await read()).toEqual({ stopped_at: null, links: 1 })
})

it('stopped, no link opens anything on either listener, for reading or writing', async () => {
  const token = await galley.newToken(id, 'edit')
  expect(await page(token)).toBe(200)
  const answer = await set(true)
  expect(answer.data).toEqual({ stopped_at: new Date(galley.clock.now).toISOString(), links: 1 })
  expect(await page(token)).toBe(404)
  for (const on of ['owner', 'share'] as const) {
    const call = (method: 'GET' | 'PATCH', json?: object) =>
      galley.call(method, `/api/documents/${id}`, { as: { token }, on, ...(json ? { json } : {}) })
    expect(await call('GET')).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
    expect(await call('PATCH', { content: 'Two.' })).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  }
  expect(galley.store.documents.find(id)!.text.whole).toBe('One.')
})

it('nothing that was read before is let in by it, and a link made meanwhile opens nothing either', async () => {
  const token = await galley.newToken(id, 'view')
  const call = () => galley.call('GET', `/api/documents/${id}`, { as: { token }, on: 'share' })
  expect((await call()).status).toBe(200)
  await set(true)
  expect((await call()).status).toBe(401)
  expect(await page(await galley.newToken(id, 'view'))).toBe(404)
})

it('started again, links are what they were', async () => {
  const token = await galley.newToken(id, 'comment')
  const expired = await galley.newToken(id, 'view', new Date(galley.clock.now + 60_000).toISOString())
  await set(true)
  galley.clock.now += 60_000
  expect((await set(false)).data).toEqual({ stopped_at: null, links: 1 })
  expect(await page(token)).toBe(200)
  expect(await page(expired)).toBe(404)
})

it('stopped twice, it is stopped since the first time', async () => {
  await set(true)
  const { stopped_at } = await read()
  galley.clock.now += 60_000
  await set(true)
  expect((await read()).stopped_at).toBe(stopped_at)
})

it('is each user’s own', async () => {
  const theirs = (await galley.newDocument({ content: 'Theirs.' }, galley.as.stranger)).id
  const made = await galley.call('POST', `/api/documents/${theirs}/share`, {
    as: galley.as.stranger,
    json: {},
  })
  const token = await galley.newToken(id, 'view')
  await set(true, galley.as.stranger)
  expect(await page((made.data as { token: string }).token)).toBe(404)
  expect(await page(token)).toBe(200)
  expect(await read()).toEqual({ stopped_at: null, links: 1 })
})

it('tells whoever counts the links that work', async () => {
  await galley.newToken(id, 'view')
  expect(galley.store.shareLinks.countValid()).toBe(1)
  await set(true)
  expect(galley.store.shareLinks.countValid()).toBe(0)
})

it('refuses what says nothing of it, keys that only read, and links', async () => {
  expect(await set('yes')).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  expect(await set(true, galley.as.reader)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  const manager = { key: galley.newKey(galley.user.id, 'manage') }
  expect(await set(true, manager)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect((await galley.call('GET', url, { as: manager })).status).toBe(200)
  const token = await galley.newToken(id, 'edit')
  expect(await set(true, { token })).toMatchObject({ status: 401 })
  expect((await read()).stopped_at).toBeNull()
})
