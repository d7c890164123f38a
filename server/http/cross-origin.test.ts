import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createTestGalley, hosts, type TestGalley } from '../testing/galley.ts'

const named = 'https://tools.example.org'
let galley: TestGalley
beforeAll(async () => {
  galley = await createTestGalley({ apiKeysOnShareListener: true })
  await setOrigins([named, 'http://localhost:5173', 'app://obsidian.md'])
})
afterAll(() => galley.close())

const setOrigins = (origins: string[], as = galley.as.owner) =>
  galley.call('PATCH', '/api/origins', { as, json: { origins } })
interface Asked {
  method?: 'GET' | 'POST' | 'OPTIONS'
  url?: string
  on?: 'owner' | 'share'
  headers?: Record<string, string>
}
const ask = async ({ method = 'GET', url = '/api/documents', on = 'owner', headers = {} }: Asked) => {
  const answer = await galley.apps[on].inject({ method, url, headers: { host: hosts[on], ...headers } })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    allowed: answer.headers['access-control-allow-origin'],
  }
}
const withKey = () => ({ authorization: `Bearer ${galley.as.owner.key}` })
const preflight = (origin: string, more: Record<string, string> = {}) => ({
  origin,
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization,content-type',
  ...more,
})

describe('a page from an origin that is named', () => {
  it.each([named, 'http://localhost:5173', 'app://obsidian.md'])(
    '%s asks with a key and reads the answer',
    async (origin) => {
      const answer = await ask({ headers: { origin, ...withKey() } })
      expect([answer.status, answer.allowed, answer.headers.vary]).toEqual([200, origin, 'Origin'])
      const exposed = String(answer.headers['access-control-expose-headers']).toLowerCase().split(', ')
      for (const header of ['etag', 'ratelimit', 'ratelimit-policy', 'location', 'link', 'retry-after'])
        expect(exposed).toContain(header)
    },
  )

  it('reads why it is refused, too', async () => {
    const answer = await ask({ headers: { origin: named, authorization: 'Bearer nonsense' } })
    expect([answer.status, answer.allowed]).toEqual([401, named])
    for (const authorization of ['Basic eDp4', ''])
      expect(await ask({ headers: { origin: named, authorization } })).toMatchObject({
        ...{ status: 401, allowed: named },
      })
    const gone = await ask({ url: '/api/nowhere', headers: { origin: named, ...withKey() } })
    expect([gone.status, gone.allowed]).toEqual([404, named])
  })

  it('is told beforehand what it may send', async () => {
    const answer = await ask({ method: 'OPTIONS', headers: preflight(named) })
    expect([answer.status, answer.allowed, answer.headers.vary]).toEqual([204, named, 'Origin'])
    expect(answer.headers['access-control-allow-methods']).toMatch(/\bPATCH\b/)
    const headers = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ')
    expect(headers).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'if-match', 'idempotency-key']),
    )
    expect(answer.headers['access-control-allow-private-network']).toBeUndefined()
    const within = { 'access-control-request-private-network': 'true' }
    const asked = await ask({ method: 'OPTIONS', headers: preflight(named, within) })
    expect(asked.headers['access-control-allow-private-network']).toBe('true')
  })

  it('is never let in by a cookie', async () => {
    const cookie = `galley_session=${galley.newSession(galley.user.id)}`
    const answer = await ask({ headers: { origin: named, cookie } })
    expect([answer.status, answer.allowed]).toEqual([403, undefined])
    const beside = await ask({ headers: { origin: named, cookie, ...withKey() } })
    expect([beside.status, beside.allowed]).toEqual([200, named])
    for (const one of [answer, beside, await ask({ method: 'OPTIONS', headers: preflight(named) })])
      expect(one.headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('reads nothing without a key, not even by a link', async () => {
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'view')
    const answer = await ask({ url: `/api/documents/${id}?share_token=${token}`, headers: { origin: named } })
    expect([answer.status, answer.allowed]).toEqual([200, undefined])
    // Nor beside what is no key, or with a link whose token decides instead of the key.
    const { key } = galley.as.owner
    for (const authorization of ['Bearer x', 'Basic eDp4', `Basic ${key}`, '', `Bearer ${key}`])
      for (const [query, header] of [
        [`?share_token=${token}`, {}],
        ['', { 'galley-share-token': token }],
        ['?share_token=nonsense', {}],
      ] as const) {
        const asked = { origin: named, authorization, ...header }
        const beside = await ask({ url: `/api/documents/${id}${query}`, headers: asked })
        expect([beside.status, beside.allowed]).toEqual([query.includes('nonsense') ? 401 : 200, undefined])
      }
    // What everybody may ask for isn't for a page without a key either.
    for (const authorization of ['Bearer x', 'Basic eDp4']) {
      const open = await ask({ url: '/api/openapi.json', headers: { origin: named, authorization } })
      expect([open.status, open.allowed]).toEqual([200, undefined])
    }
    const headers = preflight(named, { 'access-control-request-headers': 'content-type' })
    expect((await ask({ method: 'OPTIONS', headers })).allowed).toBeUndefined()
  })

  it('meets the checks of host and content type before all else', async () => {
    const elsewhere = { host: 'galley.example.net' }
    for (const asked of [
      { headers: { ...elsewhere, origin: named, ...withKey() } },
      { method: 'OPTIONS' as const, headers: { ...preflight(named), ...elsewhere } },
    ])
      expect(await ask(asked)).toMatchObject({ status: 403, allowed: undefined })
    const answer = await galley.apps.owner.inject({
      method: 'POST',
      url: '/api/documents',
      headers: { host: hosts.owner, origin: named, ...withKey(), 'content-type': 'text/plain' },
      payload: '{}',
    })
    expect(answer.statusCode).toBe(403)
  })
})

it.each([
  'https://tools.example.org.evil.example',
  'https://evil.example',
  'http://tools.example.org',
  'https://tools.example.org:8443',
  'https://sub.tools.example.org',
  'HTTPS://TOOLS.EXAMPLE.ORG',
  'null',
])('a page from “%s” reads nothing', async (origin) => {
  const answer = await ask({ headers: { origin, ...withKey() } })
  expect([answer.status, answer.allowed, answer.headers.vary]).toEqual([200, undefined, 'Origin'])
  const before = await ask({ method: 'OPTIONS', headers: preflight(origin) })
  expect([before.status, before.allowed]).toEqual([405, undefined])
})

test('the share listener, pages and what is no API allow nobody', async () => {
  const shared = await ask({ on: 'share', headers: { origin: named, ...withKey() } })
  expect([shared.status, shared.allowed]).toEqual([200, undefined])
  for (const url of ['/docs', '/mcp', '/llms.txt'])
    expect((await ask({ url, headers: { origin: named, ...withKey() } })).allowed).toBeUndefined()
})

it.each([
  '*',
  'https://*.example.org',
  'null',
  'tools.example.org',
  'https://tools.example.org/',
  'https://tools.example.org/a',
  'file:///home',
  'https://a@b.example',
  'javascript://x',
])('“%s” is no origin to be named', async (origin) => {
  const answer = await setOrigins([origin])
  expect([answer.code, answer.field]).toEqual(['VALIDATION_ERROR', 'origins'])
})

test('only the machine’s own user names them, and what is taken away is at once', async () => {
  expect((await setOrigins([], galley.as.stranger)).code).toBe('FORBIDDEN')
  const before = await galley.call('GET', '/api/origins', { as: galley.as.owner })
  expect(before.data.origins).toEqual(['app://obsidian.md', 'http://localhost:5173', named])
  expect((await setOrigins(['http://localhost:5173', 'http://localhost:5173'])).data.origins).toEqual([
    'http://localhost:5173',
  ])
  expect((await ask({ headers: { origin: named, ...withKey() } })).allowed).toBeUndefined()
})
