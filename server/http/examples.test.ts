import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Comment } from '../contract/records/comments.ts'
import type { Document } from '../contract/records/documents.ts'
import type { Located } from '../contract/records/rendering.ts'
import type { Suggestion } from '../contract/records/suggestions.ts'
import { routes, type RouteName } from '../contract/routes.ts'
import { digest } from '../store/digest.ts'
import { createTestGalley, type TestGalley } from '../testing/galley.ts'
import { sampleRequest, routeNames, send } from '../testing/routes.ts'

interface Operation {
  operationId: string
  requestBody?: { content: { 'application/json': { example: unknown } } }
  parameters: { name: string; in: string; required: boolean; schema: { examples?: unknown[] } }[]
}

let galley: TestGalley
let operations: Map<string, Operation>
beforeAll(async () => {
  galley = await createTestGalley()
  const { text } = await galley.call('GET', '/api/openapi.json')
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> }
  operations = new Map(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((one) => [one.operationId, one] as const),
    ),
  )
})
afterAll(() => galley.close())

const operationOf = (name: RouteName) => operations.get(routes[name].operationId)!
const exampleOf = (name: RouteName) => operationOf(name).requestBody?.content['application/json'].example

/** What a route says to the example of its body, at a document made by the example for that. */
async function post(name: RouteName) {
  const draft = await sampleRequest(galley, name, exampleOf('createDocument') as object)
  const json = exampleOf(name)
  const { ticket } = (json ?? {}) as { ticket?: string }
  if (ticket !== undefined)
    galley.store.db
      .prepare('INSERT INTO tickets (digest, user_id, expires_at) VALUES (?, ?, ?)')
      .run(digest(ticket), galley.user.id, galley.clock.now + 1000)
  return send(galley, name, { ...draft, json })
}
const withBody = routeNames.filter((name) => routes[name].body)

describe('the example of a body in the OpenAPI document', () => {
  it.each(withBody)('of %s can be posted as it stands', async (name) => {
    const answer = await post(name)
    expect([answer.message, answer.status]).toEqual([null, routes[name].status])
  })

  it('stands where it says in the example’s text', async () => {
    const comment = (await post('createComment')).data as Comment
    const suggestion = (await post('createSuggestion')).data as Suggestion
    const located = (await post('locateSelection')).data as Located
    const { content } = exampleOf('createDocument') as Document
    const { start, end } = comment.range!
    expect(content.slice(start, end)).toBe(comment.anchor!.exact)
    expect(start).toBe(comment.anchor!.start)
    expect(suggestion.range).toEqual(comment.range)
    expect(located.range).toEqual(comment.range)
    const accepted = await galley.call(
      'POST',
      `/api/documents/${suggestion.document_id}/suggestions/${suggestion.id}/accept`,
      { as: galley.as.owner },
    )
    expect(accepted.data.status).toBe('accepted')
  })
})

describe('the example of a header or of the query', () => {
  it.each(routeNames)('of %s can be sent as it stands', async (name) => {
    const given = operationOf(name).parameters.filter(({ name: one }) => one !== 'share_token')
    const headers = Object.fromEntries(
      given.filter((one) => one.in === 'header').map((one) => [one.name, String(one.schema.examples![0])]),
    )
    // The example of a key for one request names one request.
    galley.store.db.exec('DELETE FROM idempotency_records')
    const draft = await sampleRequest(galley, name, exampleOf('createDocument') as object)
    const query = new URLSearchParams(draft.query)
    for (const one of given.filter(({ in: place }) => place === 'query'))
      if (!query.has(one.name)) query.set(one.name, String(one.schema.examples![0]))
    const answer = await send(galley, name, { ...draft, query: query.toString() }, { headers })
    expect([answer.message, answer.status]).toEqual([
      null,
      'If-None-Match' in headers ? 304 : routes[name].status,
    ])
  })
})

describe('the OpenAPI document', () => {
  const ask = (headers: Record<string, string> = {}, url = '/api/openapi.json') =>
    galley.call('GET', url, { headers })

  it.each(['br', 'gzip'])('is compressed for whoever takes %s, and says the same', async (encoding) => {
    const plain = await ask()
    const packed = await ask({ 'accept-encoding': encoding })
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(packed.headers['vary']).toMatch(/^accept-encoding(, Origin)?$/)
    expect(packed.bytes.length * 5).toBeLessThan(plain.bytes.length)
    const unpack = encoding === 'br' ? brotliDecompressSync : gunzipSync
    expect(unpack(packed.bytes).toString()).toBe(plain.text)
  })

  it.each(['/api/openapi.json', '/docs'])('has an ETag, and is not sent again: %s', async (url) => {
    const { etag } = (await ask({}, url)).headers
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const known of [String(etag), String(etag).slice(2), `"other", ${etag as string}`]) {
      const again = await ask({ 'if-none-match': known, 'accept-encoding': 'br' }, url)
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag])
    }
    expect((await ask({ 'if-none-match': 'W/"other"' }, url)).status).toBe(200)
  })
})
