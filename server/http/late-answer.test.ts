import { afterEach, beforeEach, expect, it } from 'vitest'
import { letOthers } from './slices.ts'
import { createTestGalley, hosts, type TestGalley } from '../testing/galley.ts'

let galley: TestGalley
beforeEach(async () => {
  galley = await createTestGalley()
})
afterEach(() => galley.close())

/** What happens while the next text is being rendered. */
function meanwhile(happens: () => unknown) {
  const { markdown } = galley.context
  const render = markdown.render
  markdown.render = async (text) => {
    markdown.render = render
    const rendered = await render.call(markdown, text)
    await happens()
    return rendered
  }
}

interface Shared {
  id: string
  token: string
}
const ends: [string, (shared: Shared) => unknown][] = [
  [
    'its link is revoked',
    ({ token }) => {
      const link = galley.store.shareLinks.findValid(token)!
      galley.store.shareLinks.revoke(link.id, link.document)
    },
  ],
  ['its link expires', () => (galley.clock.now += 60_000)],
  ['it is deleted', ({ id }) => galley.call('DELETE', `/api/documents/${id}`, { as: galley.as.owner })],
]

async function share(): Promise<Shared> {
  const { id } = await galley.newDocument({ content: 'The secret words.' })
  const expiry = new Date(galley.clock.now + 60_000).toISOString()
  return { id, token: await galley.newToken(id, 'view', expiry) }
}

it.each(ends)('a page isn’t shown if, while it is rendered, %s', async (_, end) => {
  const shared = await share()
  const open = (token: string, encoding = 'identity') =>
    galley.apps.share.inject({
      url: `/share/${token}`,
      headers: { host: hosts.share, 'accept-encoding': encoding },
    })
  meanwhile(() => end(shared))
  const answer = await open(shared.token)
  const dead = await open('0'.repeat(32))
  expect([answer.statusCode, answer.headers['galley-page']]).toEqual([404, 'dead-link'])
  expect(answer.body).toBe(dead.body)
  expect(Object.keys(answer.headers)).toEqual(Object.keys(dead.headers))
})

it.each(ends)('a text isn’t given by the API if, while it is rendered, %s', async (_, end) => {
  const shared = await share()
  meanwhile(() => end(shared))
  const answer = await galley.call('GET', `/api/documents/${shared.id}/rendered`, {
    as: { token: shared.token },
    on: 'share',
  })
  expect([answer.status, answer.text.includes('secret')]).toEqual([401, false])
})

it('a refusal with the text is made in slices, once for all who are refused then, and not told who no longer may read it', async () => {
  const content = 'The secret words. '.repeat(200_000)
  const { id } = await galley.newDocument({ content })
  const [token, other] = [await galley.newToken(id, 'view'), await galley.newToken(id, 'view')]
  const refused = (as: string) =>
    galley.call('GET', `/api/documents/${id}/changes?since=9`, { as: { token: as }, on: 'share' })
  const { answers } = galley.context
  const { shared } = answers
  let made = 0
  answers.shared = (name, make, place) => shared(name, () => (made++, make()), place)
  const asked = [refused(token), refused(token), refused(other)]
  for (let turns = 0; made === 0 && turns < 10_000; turns++) await letOthers()
  await letOthers()
  const link = galley.store.shareLinks.findValid(other)!
  galley.store.shareLinks.revoke(link.id, link.document)
  const [one, same, late] = await Promise.all(asked)
  expect([one!.status, one!.data.content === content, one!.data.permission]).toEqual([412, true, 'view'])
  expect([same!.text === one!.text, one!.headers['etag']]).toEqual([true, '"1"'])
  expect([late!.status, late!.text.includes('secret'), made]).toEqual([401, false, 1])
})

/** A key, and what ends it. */
function shortLived() {
  const fields = { name: 'Short', access: 'full', expiresAt: null } as const
  const { key, row } = galley.store.apiKeys.create(galley.user.id, fields)
  return { key, end: () => galley.store.apiKeys.delete(row.id, galley.user.id) }
}

it('a text isn’t given to a key that is deleted while it is rendered', async () => {
  const { id } = await share()
  const { key, end } = shortLived()
  meanwhile(end)
  const url = `/api/documents/${id}/export?format=html`
  expect((await galley.call('GET', url, { as: { key } })).code).toBe('UNAUTHORIZED')
})

it('what was changed is said to be, though the key is deleted before all that follows from it is done', async () => {
  const { key, end } = shortLived()
  const { tunnel } = galley.context
  const { createSshKey } = tunnel
  tunnel.createSshKey = async () => {
    const made = await createSshKey.call(tunnel)
    end()
    return made
  }
  const made = await galley.call('POST', '/api/tunnel/ssh-key', { as: { key } })
  expect(made.status).toBe(201)
  expect((await galley.call('GET', '/api/me', { as: { key } })).status).toBe(401)
})

it('whatever still holds is answered, late as it is', async () => {
  const { id, token } = await share()
  meanwhile(() => undefined)
  const page = await galley.apps.share.inject({ url: `/share/${token}`, headers: { host: hosts.share } })
  expect([page.statusCode, page.body.includes('secret')]).toEqual([200, true])
  meanwhile(() => undefined)
  const answer = await galley.call('GET', `/api/documents/${id}/rendered`, { as: { token }, on: 'share' })
  expect([answer.status, answer.text.includes('secret')]).toEqual([200, true])
})
