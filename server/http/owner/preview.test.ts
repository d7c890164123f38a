import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestGalley, hosts, unknownId, type TestGalley } from '../../testing/galley.ts'

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
