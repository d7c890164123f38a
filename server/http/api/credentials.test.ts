import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { ApiKey, ShareLink } from '../../contract/records.ts'
import {
  cookieOf,
  createTestGalley,
  hosts,
  unknownId,
  type TestCredentials,
  type TestGalley,
} from '../../testing/galley.ts'

const day = 24 * 60 * 60_000

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
      access: 'full',
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
    for (const more of [{ access: 'write' }, { access: null }, { expires_at: 'soon' }])
      expect((await create({ name: 'x', ...more })).code).toBe('VALIDATION_ERROR')
  })

  it('works from now on, until it is deleted', async () => {
    const { data } = await create({ name: 'x' })
    expect((await me({ key: data.key })).data).toEqual({ id: galley.user.id, name: galley.user.name })
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

describe('a session', () => {
  const signIn = (ticket: unknown) => galley.call('POST', '/api/session', { json: { ticket } })
  const ticket = () => galley.store.sessions.createTicket(galley.user.id)

  it('is had for a ticket, once, as a cookie that no script and no other site gets', async () => {
    const one = ticket()
    expect(one).toMatch(/^[0-9a-f]{32,}$/)
    const made = await signIn(one)
    expect(made.data).toEqual({ id: galley.user.id, name: galley.user.name })
    const cookie = String(made.headers['set-cookie'])
    expect(cookie).toMatch(
      /^galley_session=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/,
    )
    expect((await me({ session: cookieOf(made, 'galley_session')! })).status).toBe(200)
    const again = await signIn(one)
    expect([again.code, again.headers['set-cookie']]).toEqual(['UNAUTHORIZED', undefined])
  })

  it('goes over TLS only, where the page came over TLS, and stays so', async () => {
    const headers = { origin: `https://${hosts.owner}` }
    const made = await galley.call('POST', '/api/session', { json: { ticket: ticket() }, headers })
    expect(String(made.headers['set-cookie'])).toMatch(
      /^__Host-galley_session=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000; Secure$/,
    )
    const cookie = String(made.headers['set-cookie']).split(';')[0]!
    const used = await galley.call('GET', '/api/me', { headers: { cookie } })
    expect(used.data).toEqual({ id: galley.user.id, name: galley.user.name })
    expect(String(used.headers['set-cookie'])).toMatch(/^__Host-galley_session=[0-9a-f]{64};.*; Secure$/)
    const out = await galley.call('DELETE', '/api/session', { headers: { cookie, ...headers } })
    expect(String(out.headers['set-cookie'])).toMatch(/^__Host-galley_session=;.*Max-Age=0; Secure$/)
    expect((await galley.call('GET', '/api/me', { headers: { cookie } })).code).toBe('UNAUTHORIZED')
  })

  it('is not had by naming an origin that is not this server’s', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    const made = await galley.call('POST', '/api/session', { json: { ticket: ticket() }, headers })
    expect(String(made.headers['set-cookie'])).not.toContain('Secure')
  })

  it('is not had for a ticket that is unknown, too old or no ticket', async () => {
    for (const one of ['x', '0'.repeat(48), ticket().toUpperCase(), `${ticket()} `])
      expect((await signIn(one)).code).toBe('UNAUTHORIZED')
    for (const one of ['', 5, null, undefined, 'x'.repeat(201), [ticket()]])
      expect((await signIn(one)).code).toBe('VALIDATION_ERROR')
    const old = ticket()
    const young = ticket()
    galley.clock.now += limits.ticketMinutes * 60_000 - 1
    expect((await signIn(young)).status).toBe(201)
    galley.clock.now += 1
    expect((await signIn(old)).code).toBe('UNAUTHORIZED')
  })

  it('stores neither ticket nor cookie', async () => {
    const one = ticket()
    const rows = () =>
      JSON.stringify([
        galley.store.db.prepare('SELECT hex(digest) FROM tickets').all(),
        galley.store.db.prepare('SELECT hex(digest) FROM sessions').all(),
      ]).toLowerCase()
    expect(rows()).not.toContain(one)
    expect(rows()).not.toContain(cookieOf(await signIn(one), 'galley_session'))
  })

  it('ends after 30 days unused, and is renewed by use, its cookie too', async () => {
    const session = cookieOf(await signIn(ticket()), 'galley_session')!
    for (let i = 0; i < 4; i++) {
      galley.clock.now += 29 * day
      const answer = await me({ session })
      expect(answer.status).toBe(200)
      expect(cookieOf(answer, 'galley_session')).toBe(session)
    }
    galley.clock.now += 30 * day
    expect((await me({ session })).code).toBe('UNAUTHORIZED')
  })

  it('ends with signing out, and only that one', async () => {
    const [one, two] = [galley.newSession(galley.user.id), galley.newSession(galley.user.id)]
    const out = await galley.call('DELETE', '/api/session', { as: { session: one } })
    expect(out.data).toEqual({ deleted: true })
    expect(String(out.headers['set-cookie'])).toMatch(/^galley_session=; .*Max-Age=0$/)
    expect((await me({ session: one })).code).toBe('UNAUTHORIZED')
    expect((await me({ session: two })).status).toBe(200)
    expect((await galley.call('DELETE', '/api/session')).code).toBe('UNAUTHORIZED')
    expect((await galley.call('DELETE', '/api/session', { as: { session: one } })).code).toBe('UNAUTHORIZED')
  })

  it('is found among other cookies, and in nothing that only looks like it', async () => {
    const { session } = galley.as.session
    const good = `galley_session=${session}`
    for (const cookie of [
      `a=b; ${good}`,
      `galley_session=x; ${good}`,
      `${good};x`,
      `;; ${good}`,
      `galley_session2=x;${good}`,
      `x="; ${good}`,
    ])
      expect([cookie, (await me({}, { cookie })).status]).toEqual([cookie, 200])
    const bad = [
      `Galley_Session=${session}`,
      `x${good}`,
      `galley_session="${session}"`,
      `galley_session=${session}x`,
    ]
    bad.push(`a=${good}`, `galley_session%3D${session}`, `galley_session=${session.toUpperCase()}`, session)
    bad.push(`galley_guest=${session}`, '__proto__=x', 'galley_session=%00')
    for (const cookie of bad) expect([cookie, (await me({}, { cookie })).status]).toEqual([cookie, 401])
  })

  it('acts for no page but Galley’s own; keys have no origin to speak of', async () => {
    const by = galley.as.session
    const own = ['http://127.0.0.1:4780', 'HTTP://127.0.0.1:4780']
    for (const origin of own) expect((await me(by, { origin })).status).toBe(200)
    expect((await me(by, { origin: 'http://localhost:4780', host: 'LOCALHOST:4780' })).status).toBe(200)
    const foreign = [
      'null',
      '',
      'http://127.0.0.1',
      'http://127.0.0.1:4781',
      'http://localhost:4780',
      'http://evil.example',
    ]
    foreign.push(
      'http://127.0.0.1:4780.evil.example',
      'http://evil@127.0.0.1:4781',
      'file://',
      'chrome-extension://abc',
    )
    for (const origin of foreign) {
      const answer = await galley.call('POST', '/api/documents', { as: by, json: {}, headers: { origin } })
      expect([origin, answer.code]).toEqual([origin, 'FORBIDDEN'])
      expect(
        (await galley.call('POST', '/api/documents', { as, json: {}, headers: { origin } })).status,
      ).toBe(201)
    }
  })
})

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
      last_used_at: null,
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

describe('settings', () => {
  it('are of whoever asks', async () => {
    const at = '/api/settings'
    const changed = await galley.call('PATCH', at, { as, json: { name: ' Ada ', theme: 'dark' } })
    expect(changed.data).toEqual({ name: 'Ada', theme: 'dark', trash_days: 30 })
    expect((await galley.call('GET', at, { as: galley.as.stranger })).data).toEqual({
      name: 'Other',
      theme: 'system',
      trash_days: 30,
    })
    for (const json of [
      {},
      { name: '' },
      { name: ' ' },
      { name: 'x'.repeat(81) },
      { theme: 'pink' },
      { theme: null },
    ])
      expect((await galley.call('PATCH', at, { as, json })).code).toBe('VALIDATION_ERROR')
    expect((await me(as)).data.name).toBe('Ada')
  })
})

describe('versions', () => {
  it('say who changed what and when, and a restore makes one more', async () => {
    const { id } = await galley.newDocument({ title: 'T', content: 'one' })
    const at = `/api/documents/${id}`
    const token = await galley.newToken(id, 'edit')
    galley.clock.now += 120_000
    await galley.call('PATCH', at, { as: { token }, json: { content: 'one two', author_name: 'Guest Ada' } })
    const list = async () => (await galley.call('GET', `${at}/versions`, { as })).data
    expect(await list()).toEqual([
      {
        revision: 2,
        title: 'T',
        kind: 'edit',
        author_id: null,
        author_name: 'Guest Ada',
        size: 7,
        added: 4,
        removed: 0,
        started_at: '2026-03-01T09:32:00.000Z',
        created_at: '2026-03-01T09:32:00.000Z',
        name: null,
        key_name: null,
        suggested_by: [],
        suggesters: [],
      },
      expect.objectContaining({ revision: 1, kind: 'create', author_id: galley.user.id, size: 3 }),
    ])
    const restore = (revision: string, headers = {}) =>
      galley.call('POST', `${at}/versions/${revision}/restore`, { as, headers })
    expect((await restore('1', { 'if-match': '"1"' })).data.content).toBe('one two')
    const restored = await restore('1', { 'if-match': '"2"' })
    expect([restored.data.content, restored.data.revision, restored.headers['etag']]).toEqual([
      'one',
      3,
      '"3"',
    ])
    expect((await list())[0]).toMatchObject({ revision: 3, kind: 'restore' })
    expect((await galley.call('GET', `${at}/versions/2`, { as })).data.content).toBe('one two')
    for (const revision of ['0', '4', '-1', '1.0', '01', '1e0', 'x', '99999999999999999999', '%31%20'])
      expect([revision, (await restore(revision)).status]).toEqual([revision, 404])
  })

  it('fold only a burst of one author who knew what they changed', async () => {
    const { id } = await galley.newDocument({ content: '' })
    const at = `/api/documents/${id}`
    const write = (content: string, revision?: number, by: TestCredentials = as) => {
      galley.clock.now += 10
      return galley.call('PATCH', at, {
        as: by,
        json: { content },
        headers: revision === undefined ? {} : { 'if-match': `"${revision}"` },
      })
    }
    const revisions = async () =>
      ((await galley.call('GET', `${at}/versions`, { as })).data as { revision: number }[]).map(
        (one) => one.revision,
      )
    await write('a', 1)
    await write('ab', 2)
    await write('abc', 3)
    expect(await revisions()).toEqual([4, 1])
    await write('abcd', 4, galley.as.session)
    await write('abcde')
    galley.clock.now += 60_000
    await write('abcdef', 6)
    expect(await revisions()).toEqual([7, 6, 5, 4, 1])
  })
})
