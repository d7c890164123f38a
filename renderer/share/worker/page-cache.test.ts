import { describe, expect, it } from 'vitest'
import { keptFor } from '../worker-protocol.ts'
import { answerPage, keepPage } from './page-cache.ts'

const address = 'http://127.0.0.1:4781/share/5d41402abc4b2a76b9719d911017c592'
const read = Date.parse('2026-03-01T09:30:00.000Z')

/** A cache like the browser’s, which Node hasn’t got. */
function cacheOf() {
  const all = new Map<string, Response>()
  return {
    all,
    match: (url: unknown) => Promise.resolve(all.get(String(url))?.clone()),
    put: (url: unknown, answer: Response) => Promise.resolve(void all.set(String(url), answer)),
    delete: (one: Request) => Promise.resolve(all.delete(one.url)),
    keys: () => Promise.resolve([...all.keys()].map((url) => new Request(url))),
  }
}
const page = (more: Record<string, string> = {}) =>
  new Response('<!doctype html><title>&lt;body</title><body class="share">Words</body>', {
    headers: { 'galley-page': 'share', 'content-security-policy': "default-src 'none'", ...more },
  })
const answering = (answer: () => Response | Promise<Response>) => () => Promise.resolve().then(answer)
const away = answering(() => Promise.reject(new TypeError('Failed to fetch')))

async function kept(more: Record<string, string> = {}) {
  const cache = cacheOf()
  // As the page keeps them beside its text.
  for (const what of ['document', 'feedback']) await cache.put(`${address}?kept=${what}`, Response.json({}))
  expect(await keepPage(address, cache, { fetch: answering(() => page(more)), now: () => read })).toBe('kept')
  const open = (fetch: () => Promise<Response>, now = read + 1, wait = 60_000) =>
    answerPage(new Request(`${address}#time`), cache, { fetch, now: () => now, wait })
  return { cache, open }
}

describe('a page that is kept', () => {
  it.each([
    ['nobody answers', away],
    ['a tunnel answers', answering(() => new Response('Error 1033', { status: 530 }))],
    ['a tunnel knows no such address', answering(() => new Response('No tunnel', { status: 404 }))],
    ['a sign-in page answers', answering(() => new Response('<body>Welcome'))],
    ['its address is withdrawn', answering(() => new Response('Nothing here', { status: 403 }))],
    ['the server asks for patience', answering(() => new Response('One moment', { status: 429 }))],
  ])('is shown while %s, and says how old it is', async (_, fetch) => {
    const { open } = await kept()
    const { answer, isDead } = await open(fetch)
    expect(isDead).toBe(false)
    expect(await answer.text()).toContain('<body data-kept-at="2026-03-01T09:30:00.000Z" class="share">Words')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'")
  })

  it('is shown while the answer takes long', async () => {
    const { open } = await kept()
    const { answer } = await open(() => new Promise<Response>(() => undefined), read + 1, 0)
    expect(await answer.text()).toContain('data-kept-at')
  })

  it('is replaced by what the server has', async () => {
    const { cache, open } = await kept()
    const { answer, fresh } = await open(
      answering(() => new Response('<body>New', { headers: { 'galley-page': 'share' } })),
    )
    expect(await answer.text()).toBe('<body>New')
    await fresh
    expect(await cache.all.get(address)!.text()).toBe('<body>New')
  })

  it('is not shown where the server says that its link opens nothing', async () => {
    const { open } = await kept()
    const dead = answering(
      () => new Response('Gone', { status: 404, headers: { 'galley-page': 'dead-link' } }),
    )
    const { answer, isDead } = await open(dead)
    expect([isDead, answer.status, await answer.text()]).toEqual([true, 404, 'Gone'])
  })

  it('goes a month after it was read', async () => {
    const { cache, open } = await kept()
    expect(await (await open(away, read + keptFor - 1)).answer.text()).toContain('Words')
    expect((await open(away, read + keptFor)).answer.type).toBe('error')
    expect(cache.all.size).toBe(0)
  })

  it('goes with its link, where that expires', async () => {
    const { cache, open } = await kept({ 'galley-until': new Date(read + 1000).toISOString() })
    expect(await (await open(away, read + 999)).answer.text()).toContain('Words')
    expect((await open(away, read + 1000)).answer.type).toBe('error')
    expect(cache.all.size).toBe(0)
  })
})

describe('keeping', () => {
  it.each([
    ['a dead link', new Response('', { status: 404, headers: { 'galley-page': 'dead-link' } }), 'dead'],
    ['somebody else’s page', new Response('Welcome'), 'away'],
    ['a fault', new Response('', { status: 500, headers: { 'galley-page': 'share' } }), 'away'],
  ] as const)('keeps nothing of %s', async (_, answer, outcome) => {
    const cache = cacheOf()
    expect(await keepPage(address, cache, { fetch: answering(() => answer.clone()) })).toBe(outcome)
    expect(cache.all.size).toBe(0)
  })
})
