import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShareLink } from '../../contract/records/share-links.ts'
import { createTestGalley, unknownId, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const later = (ms: number) => new Date(galley.clock.now + ms).toISOString()

describe('a share link', () => {
  let id: string
  let at: string
  beforeEach(async () => {
    id = (await galley.newDocument({ content: 'Text' })).id
    at = `/api/documents/${id}/share`
  })
  const create = (json: unknown) => galley.call('POST', at, { as, json })
  const read = (token: string) => galley.call('GET', `/api/documents/${id}`, { as: { token } })

  it('is made with nothing said as a view link that never ends', async () => {
    const { status, data } = await create({})
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(String),
      document_id: id,
      url: null,
      local_url: `http://127.0.0.1:4781/share/${(data as ShareLink).token}`,
      created_by: galley.user.id,
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      permission: 'view',
      label: null,
      expires_at: null,
      created_at: '2026-03-01T09:30:00.000Z',
      made_by: {
        ...{ author_id: galley.user.id, author_name: galley.user.name, mine: true },
        ...{ author_kind: 'script', key_name: 'Test' },
      },
      last_used_at: null,
      hides_people: false,
      allows_agents: false,
      suggest_only: false,
    })
    const { document_id: _document, created_by: _by, ...summary } = data
    expect((await galley.call('GET', at, { as })).data).toEqual([summary])
  })

  it.each([
    { permission: 'admin' },
    { permission: 'Edit' },
    { permission: null },
    { permission: ['edit'] },
    { expires_at: 'tomorrow' },
    { expires_at: 5 },
    { expires_at: '' },
    { expires_at: '2020-01-01T00:00:00Z' },
    { expires_at: '2026-03-01T09:30:00.000Z' },
    { expires_at: '2030-02-30T00:00:00Z' },
    { expires_at: '2030-01-01T25:00:00Z' },
    ...['\t', ' ', '\n', '  T', ' T', 'T ', '_', ''].map((between) => ({
      expires_at: `2030-01-31${between}12:00:00Z`,
    })),
    ...['', '+02', '+0200', 'UTC', ' Z', 'Z '].map((zone) => ({ expires_at: `2030-01-31T12:00:00${zone}` })),
    { expires_at: '2030-01-31T12:00Z' },
    { expires_at: '2030-01-31' },
    { expires_at: '+123456-01-01T00:00:00Z' },
    { expires_at: '9999-12-31T23:59:59-23:59' },
    { label: 'x'.repeat(101) },
    { label: 5 },
  ])('is refused with %j', async (json) => {
    expect((await create(json)).code).toBe('VALIDATION_ERROR')
    expect((await galley.call('GET', at, { as })).data).toEqual([])
  })

  it('says what a time looks like', async () => {
    for (const expires_at of ['2030-01-31', '2030-01-31\t12:00:00Z', '2030-01-31T12:00:00+02'])
      expect((await create({ expires_at })).message).toMatch(/“expires_at” must be a time .*T12:00:00Z/)
  })

  it('takes a time in any zone and says it in UTC', async () => {
    for (const [expires_at, said] of [
      ['2030-01-31T12:00:00+02:00', '2030-01-31T10:00:00.000Z'],
      ['2030-01-31t12:00:00z', '2030-01-31T12:00:00.000Z'],
      ['2030-01-31T12:00:00.123456Z', '2030-01-31T12:00:00.123Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
      [null, null],
    ])
      expect((await create({ expires_at })).data.expires_at).toBe(said)
    expect((await create({ label: ` ${'😀'.repeat(98)} ` })).data.label).toBe('😀'.repeat(98))
    expect((await create({ label: ' ' })).data.label).toBeNull()
    expect((await create({ label: null })).status).toBe(201)
  })

  it('works until its time comes, and is then as unknown as any', async () => {
    const { data } = await create({ expires_at: later(60_000) })
    galley.clock.now += 59_999
    expect((await read(data.token)).status).toBe(200)
    galley.clock.now += 1
    const late = await read(data.token)
    const unknown = await read('0'.repeat(32))
    expect([late.status, late.text]).toEqual([401, unknown.text])
    expect(late.text).toBe('{"data":null,"error":{"message":"Unauthorized","code":"UNAUTHORIZED"}}')
  })

  it('is revoked by its id, once, on its own document', async () => {
    const one = (await create({})).data as ShareLink
    const two = (await create({})).data as ShareLink
    const elsewhere = `/api/documents/${(await galley.newDocument()).id}/share`
    const revoke = (query: string, path = at, by = as) => galley.call('DELETE', path + query, { as: by })
    for (const query of ['', '?link_id=', '?link=x', '?link_id=a&link_id=b'])
      expect([query, (await revoke(query)).code]).toEqual([query, 'VALIDATION_ERROR'])
    for (const query of [`?link_id=${unknownId}`, '?link_id=nonsense', `?link_id=${one.token}`])
      expect((await revoke(query)).code).toBe('NOT_FOUND')
    expect((await revoke(`?link_id=${one.id}`, elsewhere)).code).toBe('NOT_FOUND')
    expect((await revoke(`?link_id=${one.id}`, at, galley.as.stranger)).code).toBe('NOT_FOUND')
    expect((await revoke(`?link_id=${one.id}`, at, { token: one.token })).code).toBe('UNAUTHORIZED')
    expect((await read(one.token)).status).toBe(200)
    expect((await revoke(`?link_id=${one.id}`)).data).toEqual({ deleted: true })
    expect((await revoke(`?link_id=${one.id}`)).code).toBe('NOT_FOUND')
    expect((await read(one.token)).code).toBe('UNAUTHORIZED')
    expect((await read(two.token)).status).toBe(200)
  })

  it('says when it was last used', async () => {
    const { data } = await create({})
    galley.clock.now += 60_000
    await read(data.token)
    const [link] = (await galley.call('GET', at, { as })).data as ShareLink[]
    expect(link!.last_used_at).toBe('2026-03-01T09:31:00.000Z')
  })

  it.each(['', ' ', 'x', '0'.repeat(31), '0'.repeat(33), 'G'.repeat(32), '%00', '__proto__'])(
    'with the token %j is 401',
    async (token) => {
      expect((await read(token)).code).toBe('UNAUTHORIZED')
    },
  )

  it('said twice is no token, and one in another letter case is another', async () => {
    const { token } = (await create({})).data as ShareLink
    const url = `/api/documents/${id}`
    expect((await galley.call('GET', `${url}?share_token=${token}&share_token=${token}`)).code).toBe(
      'UNAUTHORIZED',
    )
    expect((await galley.call('GET', `${url}?share_token=x&share_token=${token}`, { as })).code).toBe(
      'UNAUTHORIZED',
    )
    if (/[a-f]/.test(token)) expect((await read(token.toUpperCase())).code).toBe('UNAUTHORIZED')
    expect((await galley.call('GET', `${url}?share%5Ftoken=${token}`)).status).toBe(200)
    expect((await galley.call('GET', `${url}?SHARE_TOKEN=${token}`)).code).toBe('UNAUTHORIZED')
    expect((await galley.call('GET', url, { headers: { 'x-share-token': token } })).code).toBe('UNAUTHORIZED')
  })
})
