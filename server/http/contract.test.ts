import { METHODS } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCatalogue } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Route } from '../contract/route.ts'
import { allRoutes, routes, type RouteName } from '../contract/routes.ts'
import { seen } from '../testing/answer.ts'
import { createTestGalley, hosts, type TestGalley } from '../testing/galley.ts'
import { deadLinkPage, unknownAddressPage } from './page/notice-page.ts'
import { absentIds, sampleRequest, routeNames, send, urlOf } from '../testing/routes.ts'

let galley: TestGalley
let open: TestGalley
beforeAll(async () => {
  galley = await createTestGalley()
  open = await createTestGalley({ apiKeysOnShareListener: true })
  for (const one of [galley, open]) one.context.limiters.failedCredential = async () => undefined
})
afterAll(async () => {
  await galley.close()
  await open.close()
})

const route = (name: RouteName): Route => routes[name]
const matches = (url: string, path: string) => new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`).test(path)

/** What the share listener has in no case: signing in and out, the way that leads to it, and what is the machine's. */
const neverShared = (name: RouteName) =>
  [
    'createSession',
    'deleteSession',
    'getTunnel',
    'updateTunnel',
    'createSshKey',
    'getCloudflared',
    'downloadCloudflared',
    'listProblems',
    'moveSharePort',
    'getOrigins',
    'updateOrigins',
    'getFilesRoom',
    'freeUnusedFiles',
  ].includes(name)

/** What no key with less than “manage” reads: it is the account’s or the machine’s. */
const beyondDocuments: readonly RouteName[] = [
  ...(['listKeys', 'getSettings', 'getSharing', 'listStaleLinks', 'listProblems', 'getTunnel'] as const),
  ...(['getCloudflared', 'getOrigins', 'getFilesRoom'] as const),
]

describe.each(routeNames)('%s', (name) => {
  it('succeeds for the owner by key and by session, and answers what its schema says', async () => {
    for (const as of [galley.as.owner, { session: galley.newSession(galley.user.id) }]) {
      const draft = await sampleRequest(galley, name)
      const answer = await send(galley, name, route(name).about === 'sign-in' ? draft : { ...draft, as })
      expect(answer.status).toBe(route(name).status)
    }
  })

  if (route(name).about !== 'sign-in')
    it('is 401 without credentials', async () => {
      const draft = await sampleRequest(galley, name)
      for (const headers of [
        {},
        { authorization: '' },
        { authorization: 'Bearer' },
        { authorization: 'Basic Z2FsbHk6eA==' },
        { cookie: 'galley_session' },
        { cookie: 'galley_session=; galley_guest=' },
      ]) {
        const answer = await send(galley, name, { ...draft, as: {}, headers: { ...headers } })
        expect(answer.code).toBe('UNAUTHORIZED')
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    })

  if (route(name).url.includes('/:'))
    it('is 404 for whatever id there is none of', async () => {
      const last = /:(\w+)(?=[^:]*$)/.exec(route(name).url)![1]!
      for (const id of absentIds) {
        const draft = await sampleRequest(galley, name)
        draft.params[last] = id
        const answer = await send(galley, name, draft)
        expect(`${id} ${answer.code}`).toBe(`${id} NOT_FOUND`)
      }
    })

  if (route(name).about !== 'sign-in')
    it('lets a read key read and refuses it changes', async () => {
      const draft = { ...(await sampleRequest(galley, name)), as: galley.as.reader }
      const answer = await send(galley, name, draft)
      const asks = ['locateSelection', 'renderMarkdown', 'noteRead'].includes(name)
      const reads =
        (route(name).method === 'GET' &&
          !['listShareLinks', 'listLinkVisits', 'listWebhooks', 'listDeliveries'].includes(name) &&
          !beyondDocuments.includes(name)) ||
        asks
      expect(answer.code).toBe(reads ? null : 'FORBIDDEN')
    })

  it('is on the share listener only if a share token may call it', async () => {
    const draft = await sampleRequest(galley, name)
    const session = { session: galley.newSession(galley.user.id) }
    for (const as of [draft.as, session, {}]) {
      const answer = await send(galley, name, { ...draft, as }, { on: 'share' })
      // There neither a key nor a session is a credential, and of the owner’s only paths that links have, too, are known.
      const path = route(name).url.replace(/:\w+/g, 'x')
      const isKnown = allRoutes.some((one) => (one.share || one.refusesLinks) && matches(one.url, path))
      const absent = isKnown ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'
      const isThere = route(name).share || route(name).refusesLinks
      expect(answer.code).toBe(isThere ? 'UNAUTHORIZED' : absent)
    }
  })

  it('works on the share listener by key where the owner allows that, but never by session', async () => {
    const draft = await sampleRequest(open, name)
    const answer = await send(open, name, draft, { on: 'share' })
    expect(answer.status).toBe(neverShared(name) ? 404 : route(name).status)
    const fresh = await sampleRequest(open, name)
    const session = { session: open.newSession(open.user.id) }
    const bySession = await send(open, name, { ...fresh, as: session }, { on: 'share' })
    expect(bySession.code).toBe(neverShared(name) ? 'NOT_FOUND' : 'UNAUTHORIZED')
  })

  it('refuses a body larger than its limit and takes one that just fits', async () => {
    if (route(name).method === 'GET') return
    const most = route(name).bodyLimit ?? limits.bodyBytes
    const draft = await sampleRequest(galley, name)
    const { json, ...rest } = draft
    const text = JSON.stringify(json ?? {})
    const fitting = text + ' '.repeat(most - text.length)
    expect((await send(galley, name, rest, { body: `${fitting} ` })).code).toBe('PAYLOAD_TOO_LARGE')
    if (most === limits.bodyBytes)
      expect((await send(galley, name, rest, { body: fitting })).status).toBe(route(name).status)
  })

  it('gives each error it lists', async () => {
    for (const code of route(name).errors) {
      if (seen.has(`${route(name).operationId} ${code}`)) continue
      const again = await sampleRequest(galley, name)
      if (code === 'VALIDATION_ERROR' && !again.state[code]) {
        if (again.method === 'GET')
          again.query = `limit=0&status=lost&format=pdf&lines=0&decided=${'x'.repeat(10_000)}`
        else if (name === 'revokeShareLink') again.query = ''
        else if (name === 'deleteDocument') again.query = 'only_unused=perhaps'
        else
          again.json = { title: 1, body: 1, permission: 1, name: 1, action: 1, ticket: 1, theme: 1, note: 1 }
      } else if (code === 'UNAUTHORIZED') again.json = { ticket: 'used' }
      else await again.state[code]!(again)
      expect((await send(galley, name, again)).code).toBe(code)
    }
    // Every code a client can bring about, the tests above and this one have brought about.
    const wanted = [
      ...route(name).errors,
      ...(route(name).about === 'sign-in' ? [] : ['UNAUTHORIZED']),
      ...(route(name).url.includes('/:') ? ['NOT_FOUND'] : []),
      ...(route(name).method === 'GET' ? [] : ['PAYLOAD_TOO_LARGE']),
      String(route(name).status),
    ]
    const { operationId, file } = route(name)
    expect(wanted.filter((code) => !seen.has(`${operationId} ${code}`) && !(file && code === '200'))).toEqual(
      [],
    )
  })
})

describe('the OpenAPI document', () => {
  it('describes each code of the catalogue, and each route by a summary, a description and an example', async () => {
    const answer = await galley.call('GET', '/api/openapi.json')
    const document = JSON.parse(answer.text)
    expect(document.openapi).toMatch(/^3\.1\./)
    for (const code of Object.keys(errorCatalogue))
      if (code !== 'METHOD_NOT_ALLOWED') expect(answer.text).toContain(code)
    for (const one of allRoutes) {
      const operation = document.paths[one.url.replace(/:(\w+)/g, '{$1}')][one.method.toLowerCase()]
      expect(operation.summary).not.toBe('')
      expect(operation.description).not.toBe('')
      if (one.body) expect(operation.requestBody.content['application/json'].example).toBeTypeOf('object')
      expect(Object.keys(operation.responses)).toContain(String(one.status))
    }
  })
})

describe('a wrong method', () => {
  const paths = new Set(allRoutes.map((one) => one.url))
  const wrong = [...METHODS.filter((method) => method !== 'CONNECT')]

  it.each([...paths])('on %s is 405 with what would be right in Allow', async (url) => {
    const path = url.replace(/:\w+/g, 'x')
    const own = allRoutes.filter((one) => matches(one.url, path)).map((one) => one.method)
    const allow = [...own, ...(own.includes('GET') ? ['HEAD'] : [])]
    for (const method of wrong.filter((one) => !allow.includes(one))) {
      const answer = await galley.call(method, path, {})
      expect(`${method} ${answer.status}`).toBe(`${method} 405`)
      expect(answer.headers['allow']).toBe(allow.join(', '))
    }
  })

  it('on the share listener is 405 where it has the path, and 404 where only the owner’s has', async () => {
    const on = 'share'
    const at = '/api/documents/x'
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
      const answer = await galley.call(method, at, { on })
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, PATCH, HEAD'])
    }
    for (const url of ['/api/documents', '/api/keys', '/api/session', '/api/me', `${at}/share`])
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS'])
        expect((await galley.call(method, url, { on })).code).toBe('NOT_FOUND')
  })

  it('on the description is 405 too', async () => {
    for (const on of ['owner', 'share'] as const) {
      const answer = await galley.call('POST', '/api/openapi.json', { on, json: {} })
      expect([answer.code, answer.headers['allow']]).toEqual(['METHOD_NOT_ALLOWED', 'GET, HEAD'])
    }
  })

  it('comes after host and content type, and before credentials', async () => {
    const url = '/api/documents/x'
    expect((await galley.call('PUT', url, { headers: { host: 'evil.example' } })).message).toMatch(/host/)
    const typed = await galley.call('PUT', url, { body: 'x', headers: { 'content-type': 'text/plain' } })
    expect(typed.message).toMatch(/Content-Type/)
    expect((await galley.call('PUT', url, { as: { key: 'bad' } })).code).toBe('METHOD_NOT_ALLOWED')
  })

  it('is not overridden by a header or a parameter', async () => {
    const { id } = await galley.newDocument()
    const answer = await galley.call('POST', `/api/documents/${id}?_method=DELETE`, {
      as: galley.as.owner,
      headers: { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' },
    })
    expect(answer.code).toBe('METHOD_NOT_ALLOWED')
    expect((await galley.call('GET', `/api/documents/${id}`, { as: galley.as.owner })).status).toBe(200)
  })
})

describe('a link that leads nowhere', () => {
  const words = { script: 'w.js', styles: [], preload: [], later: [] }
  it.each([
    '/share/unknown',
    `/share/${'0'.repeat(32)}`,
    `/share/${'x'.repeat(201)}`,
    `/share/${'x'.repeat(8_000)}`,
    '/share/%',
    '/share/%ff',
    '/share/%00',
    '/share/ö',
  ])('%s gets the same page as any other', async (url) => {
    for (const on of ['owner', 'share'] as const) {
      const answer = await galley.apps[on].inject({ url, headers: { host: hosts[on] } })
      expect([answer.statusCode, answer.body]).toEqual([404, deadLinkPage(words)])
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  })
})

describe('under a host name that is not served', () => {
  it.each(['/share/unknown', `/share/${'x'.repeat(201)}`, '/share/%', '/share/%ff'])(
    '%s says nothing about the link',
    async (url) => {
      for (const on of ['owner', 'share'] as const) {
        const answer = await galley.apps[on].inject({ url, headers: { host: 'withdrawn.example' } })
        expect([answer.statusCode, answer.headers['galley-page']]).toEqual([403, undefined])
      }
    },
  )

  it('a link that works and one that doesn’t look alike', async () => {
    const { id } = await galley.newDocument({ content: 'Words' })
    const token = await galley.newToken(id, 'view')
    const [works, dead] = await Promise.all(
      [token, '0'.repeat(32)].map((one) =>
        galley.apps.share.inject({ url: `/share/${one}`, headers: { host: 'withdrawn.example' } }),
      ),
    )
    expect([works!.statusCode, works!.body]).toEqual([403, unknownAddressPage()])
    expect([dead!.statusCode, dead!.body]).toEqual([403, unknownAddressPage()])
    expect(works!.headers).not.toHaveProperty('galley-page')
  })
})

describe('an unknown path below /api', () => {
  it.each([
    '/api/',
    '/api/nothing',
    '/api/documents/x/y/z',
    '/api/Documents',
    '/api/documents%2Fx',
    '/api/me/',
    '/api/v1/documents',
    '/api/%',
    '/api/documents/%',
    '/api/documents/%ff',
    `/api/documents/${'x'.repeat(300)}`,
  ])('%s is 404 in the envelope on both listeners', async (url) => {
    for (const on of ['owner', 'share'] as const) {
      const response = await galley.apps[on].inject({
        url,
        headers: { host: hosts[on], accept: 'text/html', authorization: `Bearer ${galley.as.owner.key}` },
      })
      expect(response.statusCode).toBe(404)
      expect(response.json()).toEqual({
        data: null,
        error: { code: 'NOT_FOUND', message: expect.any(String) },
      })
      const foreign = await galley.apps[on].inject({ url, headers: { host: 'evil.example' } })
      expect(foreign.json().error.code).toBe('FORBIDDEN')
    }
  })

  it('is 404 whatever the body holds', async () => {
    for (const body of ['{', 'x'.repeat(5_000), '{"a":1}'])
      for (const on of ['owner', 'share'] as const)
        expect((await galley.call('POST', '/api/nothing', { on, body })).code).toBe('NOT_FOUND')
  })

  it('is the same route however its letters are written', async () => {
    const { id } = await galley.newDocument()
    const plain = `/api/documents/${id}/suggestions`
    const spelt = `/%61pi/d%6Fcuments/${id}/suggestions`
    for (const url of [plain, spelt, `http://${hosts.owner}${plain}`]) {
      const answer = await galley.apps.owner.inject({
        method: 'POST',
        url,
        headers: {
          host: hosts.owner,
          'content-type': 'text/plain',
          authorization: `Bearer ${galley.as.owner.key}`,
        },
        payload: '{"original_text":"a","suggested_text":"b"}',
      })
      expect(answer.json().error).toEqual({
        code: 'FORBIDDEN',
        message: expect.stringMatching(/Content-Type/),
      })
      expect(answer.headers['cache-control']).toBe('no-store')
    }
    expect(
      urlOf('listSuggestions', { ...(await sampleRequest(galley, 'listSuggestions')), params: { id } }),
    ).toBe(plain)
  })
})
