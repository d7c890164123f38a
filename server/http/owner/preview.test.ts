import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestGalley, hosts, unknownId, type TestGalley } from '../../testing/galley.ts'
import { pngOf } from '../../testing/pictures.ts'

let galley: TestGalley
let id: string
beforeAll(async () => {
  galley = await createTestGalley()
  id = (await galley.newDocument({ title: 'Proof', content: 'Read *me*.' })).id
})
afterAll(() => galley.close())

describe.each(['preview', 'print'])('/%s', (page) => {
  const get = (document: string, headers: Record<string, string> = {}) =>
    galley.apps.owner.inject({ url: `/${page}/${document}`, headers: { host: hosts.owner, ...headers } })
  const cookie = () => ({ cookie: `galley_session=${galley.as.session.session}` })

  it('shows its owner the document, rendered', async () => {
    const answer = await get(id, cookie())
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain('Read <em>me</em>.')
    expect(answer.body).toContain('data-revision="1"')
    expect(answer.body.includes('class="title"')).toBe(page === 'print')
  })

  it('shows nobody else anything', async () => {
    expect((await get(id)).statusCode).toBe(401)
    expect((await get(id, { authorization: `Bearer ${galley.as.owner.key}` })).statusCode).toBe(401)
    const stranger = { cookie: `galley_session=${galley.newSession(galley.other.id)}` }
    for (const [document, headers] of [
      [id, stranger],
      [unknownId, cookie()],
    ] as const) {
      const answer = await get(document, headers)
      expect(answer.statusCode).toBe(404)
      expect(answer.body).not.toContain('Read')
    }
    const other = await galley.apps.share.inject({
      url: `/${page}/${id}`,
      headers: { host: hosts.share, ...cookie() },
    })
    expect(other.statusCode).toBe(404)
  })
})

it('prints the diagrams that the app has drawn, once, and for nobody else', async () => {
  const { id: drawn } = await galley.newDocument({ content: '```mermaid\npie\n  "A & B" : 1\n```\n' })
  const cookie = { cookie: `galley_session=${galley.as.session.session}` }
  const headers = { host: hosts.owner, ...cookie }
  const page = async (query = '') =>
    (await galley.apps.owner.inject({ url: `/print/${drawn}${query}`, headers })).body
  const source = /<code class="language-mermaid">([^<]*)</.exec(await page())![1]!
  const drawing = { source, svg: '<svg/>', width: 80, height: 60, title: 'A "pie"' }
  const leave = (by: object, drawings: unknown = [drawing], query = '') =>
    galley.apps.owner.inject({
      ...{ method: 'POST', url: `/print/${drawn}/diagrams${query}`, headers: { host: hosts.owner, ...by } },
      payload: { drawings },
    })
  const token = await galley.newToken(drawn, 'edit')
  // Who may leave them is decided before what they are, and a link's token is refused, also beside a session.
  const refused = [
    {},
    { 'galley-share-token': token },
    { ...cookie, 'galley-share-token': token },
    { authorization: `Bearer ${galley.as.owner.key}` },
  ]
  for (const by of refused)
    for (const drawings of [[drawing], 'none']) expect((await leave(by, drawings)).statusCode).toBe(401)
  expect((await leave(cookie, [drawing], `?share_token=${token}`)).statusCode).toBe(401)
  const stranger = { cookie: `galley_session=${galley.newSession(galley.other.id)}` }
  expect((await leave(stranger)).statusCode).toBe(404)
  expect((await leave(cookie, [{ ...drawing, width: '1"' }])).statusCode).toBe(400)
  const { diagrams } = (await leave(cookie)).json<{ diagrams: string }>()
  const picture = '<img src="data:image/svg+xml,%3Csvg%2F%3E" alt="A &quot;pie&quot;" width="80" height="60">'
  expect(await page(`?diagrams=${diagrams}`)).toContain(picture)
  expect(await page(`?diagrams=${diagrams}`)).toContain(source)
})

describe('/preview/trash', () => {
  it('shows the pictures of a document in the trash to its owner, and to nobody else', async () => {
    const as = galley.as.owner
    const { id } = await galley.newDocument({ content: '![The sea](files/sea.png)' })
    const headers = { 'content-type': 'image/png' }
    const png = pngOf(8, 6)
    await galley.call('POST', `/api/documents/${id}/files?name=sea.png`, { as, body: png, headers })
    const get = (url: string, by: object) =>
      galley.apps.owner.inject({ url, headers: { host: hosts.owner, ...by } })
    const cookie = { cookie: `galley_session=${galley.as.session.session}` }
    const address = `/preview/trash/${id}/files/sea.png`
    expect((await get(address, cookie)).statusCode).toBe(404)
    await galley.call('POST', `/api/documents/${id}/trash`, { as })

    const { body } = await get(`/preview/trash/${id}`, cookie)
    const [, src] = /<img src="([^"]*)" alt="The sea" width="8" height="6"/.exec(body) ?? []
    expect(new URL(src!, `http://x/preview/trash/${id}`).pathname).toBe(address)
    const picture = await get(address, cookie)
    expect(picture.rawPayload.equals(png)).toBe(true)
    expect(picture.headers).toMatchObject({
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const stranger = { cookie: `galley_session=${galley.newSession(galley.other.id)}` }
    expect((await get(address, stranger)).statusCode).toBe(404)
    expect((await get(address, {})).statusCode).toBe(401)
    expect((await get(`/preview/trash/${id}/files/other.png`, cookie)).statusCode).toBe(404)
    const elsewhere = { url: address, headers: { host: hosts.share, ...cookie } }
    expect((await galley.apps.share.inject(elsewhere)).statusCode).toBe(404)
  })
})
