import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import {
  cookieOf,
  createTestGalley,
  hosts,
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

describe('a session', () => {
  const signIn = (ticket: unknown) => galley.call('POST', '/api/session', { json: { ticket } })
  const ticket = () => galley.store.signInLinks.createTicket(galley.user.id)

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
    expect(used.data).toMatchObject({ id: galley.user.id, name: galley.user.name, key: null })
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
    galley.clock.now += limits.signInLinkMinutes * 60_000 - 1
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

describe('settings', () => {
  it('are of whoever asks', async () => {
    const at = '/api/settings'
    const changed = await galley.call('PATCH', at, { as, json: { name: ' Ada ', theme: 'dark' } })
    expect(changed.data).toEqual({ name: 'Ada', theme: 'dark', trash_days: 30, files_gigabytes: 20 })
    expect((await galley.call('GET', at, { as: galley.as.stranger })).data).toEqual({
      name: 'Other',
      theme: 'system',
      trash_days: 30,
      files_gigabytes: 20,
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
