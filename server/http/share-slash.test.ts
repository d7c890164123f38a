import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestGalley, hosts, type TestGalley } from '../testing/galley.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

const ask = (url: string, on: 'owner' | 'share' = 'share') =>
  galley.apps[on].inject({ url, headers: { host: hosts[on] } })

test.each(['owner', 'share'] as const)(
  'a link with a slash behind it opens on the %s listener',
  async (on) => {
    const { id } = await galley.newDocument({ content: 'Here.' })
    const token = await galley.newToken(id, 'view')
    const sent = await ask(`/share/${token}/?from=mail`, on)
    expect([sent.statusCode, sent.headers.location]).toEqual([308, `/share/${token}?from=mail`])
    expect(sent.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect((await ask(sent.headers.location!, on)).body).toContain('Here.')
  },
)

test('a dead one leads to the page that says so, wherever it tries to lead', async () => {
  for (const token of ['0'.repeat(32), '%2F%2Fevil.example', 'a%0D%0Ab', '%3Cscript%3E']) {
    const sent = await ask(`/share/${token}/`)
    expect([sent.statusCode, sent.headers.location]).toEqual([308, `/share/${token}`])
    const page = await ask(sent.headers.location!)
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  }
})

test.each(['', 'none', 'fonts/', '..%2f'])('there is no page at /share/assets/%s', async (name) => {
  const answer = await ask(`/share/assets/${name}`)
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
})
