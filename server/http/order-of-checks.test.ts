import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes, type RouteName } from '../contract/routes.ts'
import { createTestGalley, unknownId, type TestGalley } from '../testing/galley.ts'
import { sampleRequest, routeNames, urlOf, type SampleRequest } from '../testing/routes.ts'

/** In the order in which they are checked. */
const stages = ['host', 'content type', 'credentials', 'visible', 'permission', 'valid', 'state'] as const
type Stage = (typeof stages)[number]

/** One way to make a request fail at a stage, and how that shows. */
interface Flaw {
  stage: Stage
  name: string
  code: string
  message?: RegExp
  spoil: (draft: Spoilt, galley: TestGalley) => Promise<void> | void
}
type Spoilt = SampleRequest

const changes = (name: RouteName) => routes[name].method !== 'GET' && !('reads' in routes[name])

function flawsOf(name: RouteName, states: string[]): Flaw[] {
  const route = routes[name]
  const flaws: Flaw[] = [
    {
      stage: 'host',
      name: 'a foreign host',
      code: 'FORBIDDEN',
      message: /host name/,
      spoil: (draft) => void (draft.headers['host'] = 'evil.example:4780'),
    },
    ...('bytes' in route
      ? []
      : [
          {
            stage: 'content type' as const,
            name: 'a body as text',
            code: 'FORBIDDEN',
            message: /Content-Type/,
            spoil: (draft: Spoilt) => {
              draft.headers['content-type'] = 'text/plain'
              draft.body ??= JSON.stringify(draft.json ?? {})
            },
          } satisfies Flaw,
        ]),
  ]
  if (route.about !== 'sign-in') {
    for (const [what, as] of [
      ['no credentials', {}],
      ['a bad key', { key: `gally_${'0'.repeat(32)}` }],
      ['an unknown token', { token: '0'.repeat(32) }],
      ['an ended session', { session: '0'.repeat(64) }],
    ] as const)
      flaws.push({
        stage: 'credentials',
        name: what,
        code: 'UNAUTHORIZED',
        spoil: (draft) => void (draft.as = as),
      })
  }
  const last = [...route.url.matchAll(/:(\w+)/g)].at(-1)?.[1]
  if (last !== undefined) {
    flaws.push({
      stage: 'visible',
      name: `an unknown ${last}`,
      code: 'NOT_FOUND',
      spoil: (draft) => void (draft.params[last] = unknownId),
    })
    if (route.url.startsWith('/api/documents/:id') && !/(accept|reject)Suggestion/.test(route.operationId))
      flaws.push({
        stage: 'visible',
        name: 'someone else’s document',
        code: 'NOT_FOUND',
        spoil: async (draft, galley) => {
          draft.params['id'] = (await galley.newDocument({}, galley.as.stranger)).id
        },
      })
  }
  if (changes(name) && route.about !== 'sign-in')
    flaws.push({
      stage: 'permission',
      name: 'a read key',
      code: 'FORBIDDEN',
      message: /only read/,
      spoil: (draft, galley) => void (draft.as = galley.as.reader),
    })
  if (['acceptSuggestion', 'rejectSuggestion', 'reopenSuggestion'].includes(name))
    flaws.push({
      stage: 'permission',
      name: 'another user',
      code: 'FORBIDDEN',
      message: /owner may/,
      spoil: (draft, galley) => void (draft.as = galley.as.stranger),
    })
  if (route.method !== 'GET' && !('bytes' in route))
    flaws.push({
      stage: 'valid',
      name: 'a body that is no JSON',
      code: 'VALIDATION_ERROR',
      spoil: (draft) => void (draft.body = '{'),
    })
  if (route.method !== 'GET' && 'body' in route)
    flaws.push({
      stage: 'valid',
      name: 'a body that is a list',
      code: 'VALIDATION_ERROR',
      spoil: (draft) => void (draft.body = '[]'),
    })
  const badQuery = {
    deleteDocument: 'only_unused=perhaps',
    listDocuments: 'limit=0',
    listTrash: 'limit=0',
    listSuggestions: 'status=lost',
    listReplies: 'since=lost',
    compareRevisions: 'from=0',
    listChanges: 'since=0',
    listWordChanges: 'since=0',
    listHistory: 'after=-1',
    exportDocument: 'format=pdf',
  }
  if (name in badQuery)
    flaws.push({
      stage: 'valid',
      name: 'a bad query',
      code: 'VALIDATION_ERROR',
      spoil: (draft) => void (draft.query = badQuery[name as keyof typeof badQuery]),
    })
  for (const code of states)
    flaws.push({ stage: 'state', name: code, code, spoil: (draft) => draft.state[code]!(draft) })
  return flaws
}

let galley: TestGalley
beforeAll(async () => {
  galley = await createTestGalley()
  // Some thousand bad credentials are sent here on purpose.
  galley.context.limiters.failedCredential = async () => undefined
})
afterAll(() => galley.close())

describe.each(routeNames)('%s', (name) => {
  it('answers each flaw, and of two flaws the one that is checked first', async () => {
    const flaws = flawsOf(name, Object.keys((await sampleRequest(galley, name)).state))
    for (const first of flaws) {
      for (const second of [undefined, ...flaws]) {
        if (second && stages.indexOf(second.stage) <= stages.indexOf(first.stage)) continue
        const draft: Spoilt = await sampleRequest(galley, name)
        const before = draft.params['id']
        await second?.spoil(draft, galley)
        await first.spoil(draft, galley)
        const answer = await galley.call(draft.method, urlOf(name, draft), {
          as: draft.as,
          headers: draft.headers,
          ...(draft.body === undefined
            ? draft.json === undefined
              ? {}
              : { json: draft.json }
            : { body: draft.body }),
        })
        const what = second ? `${first.name} and ${second.name}` : first.name
        expect(`${what}: ${answer.code}`).toBe(`${what}: ${first.code}`)
        if (first.message) expect(`${what}: ${answer.message}`).toMatch(first.message)
        if (name === 'deleteDocument')
          expect((await galley.call('GET', `/api/documents/${before}`, { as: galley.as.owner })).status).toBe(
            200,
          )
      }
    }
  })
})

describe('with a share token', () => {
  it('a token of another document comes before everything but host and content type', async () => {
    const here = await galley.newDocument()
    const token = await galley.newToken((await galley.newDocument()).id, 'edit')
    const url = `/api/documents/${here.id}`
    for (const path of [url, `/api/documents/${unknownId}`, '/api/documents/nonsense']) {
      const answer = await galley.call('PATCH', path, { as: { token }, body: '{' })
      expect(answer.code).toBe('UNAUTHORIZED')
    }
    const host = await galley.call('PATCH', url, {
      as: { token },
      json: {},
      headers: { host: 'evil.example' },
    })
    expect(host.code).toBe('FORBIDDEN')
  })

  it('what is too little comes before what is malformed, and after what is absent', async () => {
    const { id } = await galley.newDocument()
    const view = { token: await galley.newToken(id, 'view') }
    const edit = { token: await galley.newToken(id, 'edit') }
    const comment = await galley.newComment(id)
    const suggestion = await galley.newSuggestion(id)
    const at = `/api/documents/${id}`
    const cases: [string, string, object, string][] = [
      ['POST', `${at}/comments`, view, 'FORBIDDEN'],
      ['PATCH', at, view, 'FORBIDDEN'],
      ['POST', `${at}/suggestions`, view, 'FORBIDDEN'],
      ['GET', `${at}/suggestions?status=lost`, view, 'FORBIDDEN'],
      ['PATCH', `${at}/comments/${comment.id}`, view, 'FORBIDDEN'],
      ['PATCH', `${at}/comments/${comment.id}`, edit, 'FORBIDDEN'],
      ['PATCH', `${at}/comments/${unknownId}`, view, 'NOT_FOUND'],
      ['DELETE', `${at}/comments/${comment.id}`, edit, 'FORBIDDEN'],
      ['DELETE', `${at}/suggestions/${suggestion.id}`, edit, 'FORBIDDEN'],
      ['DELETE', `${at}/suggestions/${unknownId}`, edit, 'NOT_FOUND'],
      ['GET', `${at}/suggestions/${suggestion.id}/replies?since=lost`, view, 'FORBIDDEN'],
      ['GET', `${at}/suggestions/${unknownId}/replies`, view, 'NOT_FOUND'],
      ['POST', `${at}/suggestions/${suggestion.id}/replies`, view, 'FORBIDDEN'],
      ['POST', `${at}/suggestions/${unknownId}/replies`, edit, 'NOT_FOUND'],
      ['POST', `${at}/suggestions/${suggestion.id}/accept`, edit, 'FORBIDDEN'],
      ['POST', `${at}/suggestions/${suggestion.id}/reject`, edit, 'FORBIDDEN'],
      ['POST', `${at}/suggestions/${unknownId}/accept`, edit, 'NOT_FOUND'],
      ['POST', `${at}/suggestions/resolve`, edit, 'FORBIDDEN'],
    ]
    for (const [method, url, as, code] of cases) {
      const answer = await galley.call(method, url, { as, ...(method === 'GET' ? {} : { body: '{"title' }) })
      expect(`${method} ${url} ${answer.code}`).toBe(`${method} ${url} ${code}`)
    }
  })

  it('a title is refused before anything else about the body is looked at', async () => {
    const { id } = await galley.newDocument({ title: 'Mine', content: 'Text' })
    const as = { token: await galley.newToken(id, 'edit') }
    for (const json of [
      { title: 'Theirs' },
      { title: 5 },
      { title: 'T', content: 5 },
      { title: null, content: 'New' },
    ]) {
      const answer = await galley.call('PATCH', `/api/documents/${id}`, {
        as,
        json,
        headers: { 'if-match': '"99"' },
      })
      expect(answer.code).toBe('FORBIDDEN')
    }
    const { data } = await galley.call('GET', `/api/documents/${id}`, { as })
    expect([data.title, data.content, data.revision]).toEqual(['Mine', 'Text', 1])
  })
})

describe('someone else’s comment', () => {
  it('is 403 before the body is valid, for the owner too, and the owner may still resolve it', async () => {
    const { id } = await galley.newDocument()
    const theirs = await galley.newComment(id, { token: await galley.newToken(id, 'comment') })
    const url = `/api/documents/${id}/comments/${theirs.id}`
    for (const json of [{ body: 5 }, { body: '' }, { body: 'Mine now', resolved: true }])
      expect((await galley.call('PATCH', url, { as: galley.as.owner, json })).code).toBe('FORBIDDEN')
    expect((await galley.call('PATCH', url, { as: galley.as.owner, json: { resolved: 1 } })).code).toBe(
      'VALIDATION_ERROR',
    )
    const done = await galley.call('PATCH', url, { as: galley.as.owner, json: { resolved: true } })
    expect(done.data.resolved_at).not.toBeNull()
    expect(done.data.body).toBe(theirs.body)
  })

  it('is refused to guests with what they may not do to it', async () => {
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'comment')
    const theirs = await galley.newComment(id, { token })
    const url = `/api/documents/${id}/comments/${theirs.id}`
    const ask = (method: string, json?: object) =>
      galley.call(method, url, { as: { token }, ...(json ? { json } : {}) })
    for (const json of [{ body: 'Mine now' }, { resolved: true }]) {
      const refused = await ask('PATCH', json)
      expect(refused.status).toBe(403)
      expect(refused.message).toMatch(/only its author may change what a comment says.* may resolve it/i)
      expect(refused.message).not.toContain('delete')
    }
    const kept = await ask('DELETE')
    expect([kept.status, kept.message]).toEqual([403, expect.stringMatching(/owner may delete a comment/)])
    expect(kept.message).not.toContain('resolve')
  })
})
