import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ApiKey } from '../../contract/records/keys.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const me = (by: TestCredentials, headers: Record<string, string> = {}) =>
  galley.call('GET', '/api/me', { as: by, headers })
const later = (ms: number) => new Date(galley.clock.now + ms).toISOString()

describe('an API key', () => {
  const create = (json: unknown) => galley.call('POST', '/api/keys', { as, json })
  const list = async () => (await galley.call('GET', '/api/keys', { as })).data as ApiKey[]

  it('is shown once, has 38 characters, and only its digest is stored', async () => {
    const { status, data } = await create({ name: ' Backup ' })
    expect(status).toBe(201)
    expect(data.key).toMatch(/^gally_[0-9a-f]{32}$/)
    expect(data.key).toHaveLength(38)
    expect(data).toEqual({
      id: expect.any(String),
      name: 'Backup',
      prefix: data.key.slice(0, 12),
      kind: 'script',
      access: 'full',
      documents: null,
      created_at: '2026-03-01T09:30:00.000Z',
      last_used_at: null,
      expires_at: null,
      key: data.key,
    })
    const listed = await galley.call('GET', '/api/keys', { as })
    expect(listed.text).not.toContain(data.key.slice(12))
    const { key: _key, ...record } = data
    expect(listed.data).toContainEqual(record)
    const stored = galley.store.db.prepare('SELECT * FROM api_keys WHERE id = ?').get(data.id)
    expect(JSON.stringify(stored)).not.toContain(data.key.slice(12))
    expect((stored as { digest: Buffer }).digest).toEqual(createHash('sha256').update(data.key).digest())
  })

  it('has a name of 1 to 100 characters after trimming', async () => {
    for (const name of ['x', 'x'.repeat(100), ` ${'😀'.repeat(100)}\n`])
      expect((await create({ name })).data.name).toBe(name.trim())
    for (const name of ['', ' \t\u00a0', 'x'.repeat(101), '😀'.repeat(101), 5, null, undefined, ['x']])
      expect((await create({ name })).code).toBe('VALIDATION_ERROR')
    for (const sign of ['\r\n', '\n', '\t', '\u001b', '\u007f'])
      expect((await create({ name: `a${sign}b` })).message).toBe(
        '“name” must be on one line, without control characters.',
      )
    for (const more of [{ access: 'write' }, { access: null }, { expires_at: 'soon' }])
      expect((await create({ name: 'x', ...more })).code).toBe('VALIDATION_ERROR')
  })

  it('isn’t made where a field that should limit it is misspelt', async () => {
    const before = (await list()).length
    for (const [field, value] of [
      ['permision', 'read'],
      ['expires', later(60_000)],
      ['acces', 'read'],
      ['__proto__', 1],
    ])
      expect(
        await galley.call('POST', '/api/keys', {
          as,
          body: `{"name": "x", "${field}": ${JSON.stringify(value)}}`,
        }),
      ).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
        message: `There is no “${field}” here, only name, kind, access, documents, expires_at. Nothing was done.`,
        field,
      })
    expect(await list()).toHaveLength(before)
  })

  it('works from now on, until it is deleted', async () => {
    const { data } = await create({ name: 'x' })
    expect((await me({ key: data.key })).data).toMatchObject({ id: galley.user.id, name: galley.user.name })
    expect((await list()).find((one) => one.id === data.id)!.last_used_at).not.toBeNull()
    expect((await galley.call('DELETE', `/api/keys/${data.id}`, { as })).data).toEqual({ deleted: true })
    expect((await me({ key: data.key })).code).toBe('UNAUTHORIZED')
    expect((await galley.call('DELETE', `/api/keys/${data.id}`, { as })).code).toBe('NOT_FOUND')
    expect((await list()).some((one) => one.id === data.id)).toBe(false)
  })

  it('of another user is not there', async () => {
    const [theirs] = (await galley.call('GET', '/api/keys', { as: galley.as.stranger })).data as ApiKey[]
    expect((await list()).some((one) => one.id === theirs!.id)).toBe(false)
    expect((await galley.call('DELETE', `/api/keys/${theirs!.id}`, { as })).code).toBe('NOT_FOUND')
    expect((await me(galley.as.stranger)).data.id).toBe(galley.other.id)
  })

  it('may end by itself', async () => {
    const { data } = await create({ name: 'x', expires_at: later(60_000) })
    expect(data.expires_at).toBe(later(60_000))
    galley.clock.now += 59_999
    expect((await me({ key: data.key })).status).toBe(200)
    galley.clock.now += 1
    expect((await me({ key: data.key })).code).toBe('UNAUTHORIZED')
  })

  it('counts exactly as it is, however the header is written', async () => {
    const { key } = galley.as.owner
    for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key} `])
      expect((await me({}, { authorization: header })).status).toBe(200)
    const wrong = [
      key,
      `Basic ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.toUpperCase()}`,
    ]
    wrong.push(
      `Bearer ${key} ${key}`,
      `Bearer ${key},`,
      `Bearer "${key}"`,
      'Bearer',
      `Bearer\t${key}`,
      'Bearer null',
    )
    wrong.push(`Bearer gally_${key}`, `Bearer ${key.slice(6)}`, `Bearer ${key.replace('gally_', 'gally-')}`)
    for (const header of wrong)
      expect([header, (await me({}, { authorization: header })).status]).toEqual([header, 401])
  })

  it('that is invalid fails even beside a good session', async () => {
    expect((await me({ ...galley.as.session, key: `gally_${'0'.repeat(32)}` })).code).toBe('UNAUTHORIZED')
    expect((await me(galley.as.session, { authorization: '' })).code).toBe('UNAUTHORIZED')
    expect((await me({ ...galley.as.stranger, ...galley.as.session })).data.id).toBe(galley.other.id)
  })
})
