import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../contract/limits.ts'
import type { LinkedDocument } from '../contract/records/linked-documents.ts'
import { allRoutes } from '../contract/routes.ts'
import { createTestGalley, unknownId, type TestGalley } from '../testing/galley.ts'
import { linkApiDocument } from './openapi.ts'

const content = '# On proofs\r\n\r\nA galley goes *out* for review. 🖋\n'
const [text, data, page] = ['text/markdown', 'application/json', 'text/html'] as const

let galley: TestGalley
let id: string
beforeEach(async () => {
  galley = await createTestGalley()
  id = (await galley.newDocument({ title: 'Proofs', content })).id
})
afterEach(() => galley.close())

const open = (token: string, accept: string, more: { method?: string; on?: 'owner' | 'share' } = {}) =>
  galley.call(more.method ?? 'GET', `/share/${token}`, { on: more.on ?? 'share', headers: { accept } })
async function read(token: string): Promise<LinkedDocument> {
  const { text: answer } = await open(token, data)
  const { data: linked, error } = JSON.parse(answer) as { data: LinkedDocument; error: null }
  expect(error).toBeNull()
  return linked
}
const named = ({ calls }: LinkedDocument) => calls.map(({ name }) => name)

describe('a link', () => {
  it.each(['owner', 'share'] as const)('answers with the very text on the %s listener', async (on) => {
    const answer = await open(await galley.newToken(id, 'view'), text, { on })
    expect(answer).toMatchObject({ status: 200, text: content })
    expect(answer.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      vary: 'accept',
    })
    // Only a page may take the place of the one that a browser keeps.
    expect(answer.headers['galley-page']).toBeUndefined()
    expect(answer.headers['content-disposition']).toBeUndefined()
  })

  it('answers with the document and what may be done, which can be done as it stands there', async () => {
    const token = await galley.newToken(id, 'suggest', '2099-12-31T12:00:00.000Z')
    const { calls, ...document } = await read(token)
    expect(document).toMatchObject({
      ...{ id, title: 'Proofs', content, revision: 1, permission: 'edit', suggest_only: true },
      owner_name: galley.user.name,
      expires_at: '2099-12-31T12:00:00.000Z',
    })
    const { method, url, body } = calls.find(({ name }) => name === 'createSuggestion')!
    const made = await galley.call(method, url, { on: 'share', json: body })
    expect(made.status).toBe(201)
    const inHeader = { on: 'share' as const, as: { tokenInHeader: token } }
    expect((await galley.call('GET', `/api/documents/${id}`, inHeader)).status).toBe(200)
    for (const call of calls.filter((one) => one.method === 'GET' && !one.url.includes('{')))
      expect((await galley.call('GET', call.url, { on: 'share' })).code).toBeOneOf([null, 'VALIDATION_ERROR'])
  })

  it('offers each call as it may be made: no field that a link may not send, and all that has to be there', async () => {
    const token = await galley.newToken(id, 'edit')
    const { calls } = await read(token)
    const urlOf = (name: string) => calls.find((one) => one.name === name)!.url
    for (const name of ['listChanges', 'listWordChanges']) {
      expect(urlOf(name)).toContain('?since={since}&share_token=')
      const url = urlOf(name).replace('{since}', '1')
      expect((await galley.call('GET', url, { on: 'share' })).status).toBe(200)
    }
    for (const { name, method, url, body } of calls.filter((one) => !one.url.includes('{'))) {
      const { code } = await galley.call(method, url, {
        on: 'share',
        ...(body === undefined ? {} : { json: body }),
      })
      expect([name, code]).not.toEqual([name, 'FORBIDDEN'])
    }
    const { paths } = linkApiDocument() as {
      paths: Record<string, Record<string, { requestBody: { content: object } }>>
    }
    const described = JSON.stringify(paths['/api/documents/{id}']!['patch']!.requestBody.content)
    expect([described.includes('"content"'), described.includes('"title"')]).toEqual([true, false])
    const { text: instructions } = await galley.call('GET', '/llms.txt', { on: 'share' })
    expect(instructions).toContain('GET /api/documents/{id}/changes?since={since}`')
  })

  it('names what it allows and nothing else', async () => {
    const of = async (access: 'view' | 'comment' | 'suggest' | 'edit') =>
      named(await read(await galley.newToken(id, access)))
    expect(await of('view')).toEqual(expect.arrayContaining(['getDocument', 'listComments']))
    expect(await of('view')).not.toContain('createComment')
    expect(await of('comment')).toContain('createComment')
    expect(await of('comment')).not.toContain('createSuggestion')
    expect(await of('suggest')).not.toContain('updateDocument')
    expect(await of('edit')).toContain('updateDocument')
    const shared = allRoutes.filter(({ share }) => share).map(({ operationId }) => operationId)
    expect(shared).toEqual(expect.arrayContaining(await of('edit')))
  })

  it('says on its page where programs find the same, and that it goes by what is asked for', async () => {
    const token = await galley.newToken(id, 'view')
    const answer = await open(token, '*/*')
    expect(answer.headers).toMatchObject({
      'galley-page': 'share',
      vary: 'accept, accept-encoding',
      link: `</share/${token}>; rel="alternate"; type="text/markdown", </share/${token}>; rel="alternate"; type="application/json", </api/openapi.json>; rel="service-desc"; type="application/json", </llms.txt>; rel="service-doc"; type="text/markdown"`,
    })
  })

  it('is another answer as soon as the text or what it allows is another', async () => {
    const token = await galley.newToken(id, 'view')
    await open(token, text)
    await read(token)
    await galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json: { content: 'New.' } })
    expect((await open(token, text)).text).toBe('New.')
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    await galley.call('PATCH', `/api/documents/${id}/share?link_id=${link!.id}`, {
      ...{ as: galley.as.owner, json: { permission: 'comment' } },
    })
    expect(named(await read(token))).toContain('createComment')
  })

  it('has long texts made in slices', async () => {
    const long = 'Wörter '.repeat(300_000)
    const other = await galley.newDocument({ content: long })
    const token = await galley.newToken(other.id, 'view')
    expect((await open(token, text)).text === long).toBe(true)
    expect((await read(token)).content === long).toBe(true)
  })
})

describe('what holds for the page holds for programs', () => {
  it.each([text, data])('as %s, visits count, and what only asks for the head does not', async (accept) => {
    const token = await galley.newToken(id, 'view')
    const visits = async () => {
      galley.context.visits.write()
      const url = `/api/documents/${id}/share/openings`
      return ((await galley.call('GET', url, { as: galley.as.owner })).data as unknown[]).length
    }
    expect((await open(token, accept, { method: 'HEAD' })).status).toBe(200)
    expect(await visits()).toBe(0)
    await open(token, accept)
    expect(await visits()).toBe(1)
  })

  it.each([text, data])('as %s, links that open nothing are all alike, and count', async (accept) => {
    const expired = await galley.newToken(id, 'view', '2026-03-01T10:00:00.000Z')
    const revoked = await galley.newToken(id, 'view')
    for (const link of galley.store.shareLinks.list(galley.store.documents.find(id)!.number))
      if (link.token === revoked) galley.store.shareLinks.revoke(link.id, link.document)
    galley.clock.now += 60 * 60_000
    const answers = []
    for (const token of [expired, revoked, '0'.repeat(32), unknownId, 'x'.repeat(300)])
      answers.push(await open(token, accept))
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([404, answers[0]!.text])
      expect(headers).toMatchObject({ 'cache-control': 'no-store', vary: 'accept' })
      expect(headers['content-type']).toBe(`${accept}; charset=utf-8`)
      expect(headers['galley-page']).toBeUndefined()
    }
    for (let i = 0; i < limits.failedCredentialsPerMinute; i++) await open('0'.repeat(32), accept)
    const refused = await open('0'.repeat(32), accept)
    expect([refused.status, refused.headers['content-type']]).toEqual([429, `${accept}; charset=utf-8`])
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  })

  it('a document in the trash is not available', async () => {
    const token = await galley.newToken(id, 'view')
    await galley.call('POST', `/api/documents/${id}/trash`, { as: galley.as.owner })
    const answers = [await open(token, text), await open(token, data), await open(token, page)]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(answers[0]!.text).toContain('not available')
    expect(JSON.parse(answers[1]!.text)).toMatchObject({ data: null, error: { code: 'NOT_FOUND' } })
    for (const answer of answers) expect(answer.text).not.toContain('galley goes')
  })

  it('what is made for a guest comes out of their budget', async () => {
    const token = await galley.newToken(id, 'view')
    const asked: string[] = []
    const { requireRoom } = galley.context.answers
    galley.context.answers.requireRoom = (request, link) => {
      asked.push(link)
      requireRoom(request, link)
    }
    await open(token, text)
    await open(token, data)
    expect(asked).toHaveLength(2)
  })
})

describe('what describes the calls', () => {
  it('is for those who have only a link: no owner’s route, and nothing of this Galley', async () => {
    const answer = await galley.call('GET', '/api/openapi.json', { on: 'share' })
    expect(JSON.parse(answer.text)).toEqual(linkApiDocument())
    const { paths, components } = linkApiDocument() as {
      paths: Record<string, Record<string, { security: object[] }>>
      components: { securitySchemes: object; schemas: object }
    }
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { security }]) => ({ path, method, security })),
    )
    for (const { path, method, security } of described) {
      const url = path.replace(/\{(\w+)\}/g, ':$1')
      const route = allRoutes.find((one) => one.url === url && one.method.toLowerCase() === method)
      if (route) expect(route.share).toBe(true)
      expect(security).toEqual(
        route || url.endsWith('/live') ? [{ shareToken: [] }, { shareTokenHeader: [] }] : [],
      )
    }
    expect(Object.keys(components.securitySchemes)).toEqual(['shareToken', 'shareTokenHeader'])
    expect(Object.keys(components.schemas)).not.toContain('ApiKey')
    expect(answer.text).not.toContain(galley.context.sessionCookie)
    expect(answer.text).not.toContain(galley.context.version)
  })

  it.each(['owner', 'share'] as const)('is told to agents by /llms.txt on the %s listener', async (on) => {
    const answer = await galley.call('GET', '/llms.txt', { on })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(answer.text).toContain('POST /api/documents/{id}/comments')
    expect(answer.text).not.toContain('/api/keys')
    const again = await galley.call('GET', '/llms.txt', {
      on,
      headers: { 'if-none-match': String(answer.headers['etag']) },
    })
    expect(again.status).toBe(304)
  })
})
