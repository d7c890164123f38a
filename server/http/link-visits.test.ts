import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LinkVisit } from '../contract/records/link-visits.ts'
import { createTestGalley, hosts, type TestRequest, type TestGalley } from '../testing/galley.ts'

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'
const minute = 60_000

let galley: TestGalley
let id: string
let token: string
beforeEach(async () => {
  galley = await createTestGalley()
  id = (await galley.newDocument()).id
  token = await galley.newToken(id, 'comment')
})
afterEach(() => galley.close())

const open = (agent: string, more: TestRequest & { method?: string; token?: string } = {}) =>
  galley.call(more.method ?? 'GET', `/share/${more.token ?? token}`, {
    on: 'share',
    ...more,
    headers: { 'user-agent': agent, ...more.headers },
  })
async function visits(): Promise<LinkVisit[]> {
  galley.context.visits.write()
  const answer = await galley.call('GET', `/api/documents/${id}/share/openings`, { as: galley.as.owner })
  return answer.data as LinkVisit[]
}
const linkId = () => galley.store.shareLinks.list(galley.store.documents.find(id)!.number)[0]!.id
const count = async () => (await visits()).length

it('says which link was opened, when, and on what', async () => {
  await open(iphone)
  expect(await visits()).toEqual([
    {
      id: expect.any(String) as string,
      link_id: linkId(),
      opened_at: '2026-03-01T09:30:00.000Z',
      preview: false,
      device: 'Safari on iPhone',
      name: null,
    },
  ])
})

it('counts on either listener', async () => {
  await open(iphone)
  await open(firefox, { on: 'owner' })
  expect((await visits()).map(({ device }) => device)).toEqual(['Firefox on Linux', 'Safari on iPhone'])
})

it('counts a visit that the page’s own worker hands on', async () => {
  await open(iphone, { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'empty' } })
  expect(await count()).toBe(1)
})

it('takes what one browser does within half an hour for one visit', async () => {
  await open(iphone)
  galley.clock.now += 29 * minute
  await open(iphone)
  expect(await count()).toBe(1)
  galley.clock.now += minute
  await open(iphone)
  expect(await count()).toBe(2)
})

it('tells visits apart by link, by browser, and by what a proxy says of the address', async () => {
  await open(iphone)
  await open(firefox)
  await open(iphone, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  await open(iphone, { headers: { 'x-forwarded-for': '203.0.113.8' } })
  await open(iphone, { token: await galley.newToken(id, 'view') })
  expect(await count()).toBe(5)
})

describe('counts nobody who doesn’t look', () => {
  it.each([
    ['asks for the head only', { method: 'HEAD' }],
    ['fetches ahead', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['fetches ahead in the old way', { headers: { purpose: 'prefetch' } }],
    ['is a script', { headers: { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' } }],
  ])('and %s', async (_what, request) => {
    expect((await open(iphone, request)).status).toBe(200)
    expect(await count()).toBe(0)
  })

  it('and is the owner, signed in', async () => {
    await open(iphone, { on: 'owner', as: galley.as.session })
    expect(await count()).toBe(0)
    const stranger = { session: galley.newSession(galley.other.id) }
    await open(iphone, { on: 'owner', as: stranger })
    expect(await count(), 'another user is a recipient').toBe(1)
  })

  it('and was led there by the app', async () => {
    await open(firefox, { headers: { 'sec-fetch-site': 'same-site' } })
    expect(await count()).toBe(0)
    await open(firefox, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(await count()).toBe(1)
  })

  it('and only keeps the page for later', async () => {
    await open(firefox, { headers: { 'sec-fetch-dest': 'empty' } })
    expect(await count()).toBe(0)
    await open(firefox, { headers: { 'sec-fetch-dest': 'document' } })
    expect(await count()).toBe(1)
  })

  it('and has no link that works', async () => {
    expect((await open(iphone, { token: '0'.repeat(32) })).status).toBe(404)
    expect(await count()).toBe(0)
  })
})

it('takes no session for the owner’s on the share listener', async () => {
  await open(iphone, { as: galley.as.session })
  expect(await count()).toBe(1)
})

it('shows a preview as what it is', async () => {
  await open('Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)')
  expect(await visits()).toMatchObject([{ preview: true, device: 'Slack' }])
})

it('keeps nothing of the address and the header, in the database or in an answer', async () => {
  const agent = 'Mozilla/5.0 (X11; Linux <script>) SecretAgent/7 Firefox/144.0'
  await open(agent, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  const shown = JSON.stringify(await visits())
  const kept = JSON.stringify(galley.store.db.prepare('SELECT * FROM link_visits').all())
  expect(shown).toContain('Firefox on Linux')
  expect(kept).toContain('firefox/linux')
  for (const text of [shown, kept]) {
    for (const secret of ['SecretAgent', 'script', '203.0.113.7', '127.0.0.1', '144.0'])
      expect(text).not.toContain(secret)
  }
})

describe('the name of a visit', () => {
  const comment = (agent: string, author_name?: string) =>
    galley.call('POST', `/api/documents/${id}/comments`, {
      on: 'share',
      as: { token },
      json: { body: 'Is this right?', ...(author_name === undefined ? {} : { author_name }) },
      headers: { 'user-agent': agent },
    })

  it('is what its guest later signs a comment with', async () => {
    await open(iphone)
    await open(firefox)
    galley.context.visits.write()
    galley.clock.now += 45 * minute
    await comment(iphone, ' Ada ')
    expect(await visits()).toMatchObject([
      { device: 'Firefox on Linux', name: null },
      { device: 'Safari on iPhone', name: 'Ada' },
    ])
  })

  it('is there too if the comment comes before the visit is written', async () => {
    await open(iphone)
    await comment(iphone, 'Ada')
    expect(await visits()).toMatchObject([{ name: 'Ada' }])
  })

  it('stays empty without one, and is never the owner’s', async () => {
    await open(iphone, { on: 'owner' })
    await comment(iphone)
    await galley.newComment(id, { token, session: galley.newSession(galley.user.id) }, { author_name: 'Ada' })
    expect(await visits()).toMatchObject([{ name: null }])
  })

  it('is what a suggestion is signed with, as well', async () => {
    token = await galley.newToken(id, 'edit')
    await open(iphone)
    await galley.call('POST', `/api/documents/${id}/suggestions`, {
      on: 'share',
      as: { token },
      json: { original_text: 'out', suggested_text: 'in', author_name: 'Grace' },
      headers: { 'user-agent': iphone },
    })
    expect(await visits()).toMatchObject([{ name: 'Grace' }])
  })
})

it('is told to whoever watches once it is written, a batch at a time', async () => {
  await open(iphone)
  await open(firefox)
  const told = () => galley.events.filter(({ kind }) => kind === 'link.visited')
  expect(told()).toEqual([])
  galley.context.visits.write()
  galley.context.visits.write()
  expect(told()).toMatchObject([{ documentId: id, principal: { kind: 'guest', name: null } }])
})

it('keeps nobody from reading if it can’t be kept', async () => {
  galley.store.db.exec('DROP TABLE link_visits')
  expect((await open(iphone)).status).toBe(200)
  galley.context.visits.write()
  expect(galley.log.join()).toContain('no such table')
  expect((await open(firefox)).status).toBe(200)
})

describe('the list is refused', () => {
  const list = (request: TestRequest) => galley.call('GET', `/api/documents/${id}/share/openings`, request)

  it('to a key that may only read', async () => {
    expect((await list({ as: galley.as.reader })).code).toBe('FORBIDDEN')
  })
  it('to another user, for whom there is no such document', async () => {
    expect((await list({ as: galley.as.stranger })).code).toBe('NOT_FOUND')
  })
  it('to a link, even one to edit', async () => {
    const edit = await galley.newToken(id, 'edit')
    expect((await list({ as: { token: edit } })).code).toBe('UNAUTHORIZED')
    expect((await list({ as: { token: edit }, on: 'share' })).code).toBe('NOT_FOUND')
  })
  it('without credentials', async () => {
    expect((await list({})).code).toBe('UNAUTHORIZED')
  })
  it('to nobody’s host', async () => {
    expect((await list({ as: galley.as.owner, headers: { host: `x${hosts.owner}` } })).code).toBe('FORBIDDEN')
  })
})
