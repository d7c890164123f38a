import { describe, expect, it, vi } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { TestCredentials } from '../../testing/galley.ts'
import { editor, first, galley, useChanges } from '../../testing/changes.ts'

useChanges()

describe('who waits for the next change', () => {
  const waiting = (id: string, as: TestCredentials, since = 1, wait = 30) =>
    galley.call('GET', `/api/documents/${id}/changes?since=${since}&wait=${wait}`, { as })
  const isWaiting = (count = 1) =>
    vi.waitFor(() => expect(galley.context.feed.waiting()).toBe(count), { timeout: 5_000 })

  it('is told as soon as there is one, and at once where there is one already', async () => {
    const { id } = await galley.newDocument({ content: first })
    const other = await galley.newDocument({ content: first })
    const waits = waiting(id, galley.as.owner)
    await isWaiting()
    for (const [which, content] of [
      [other.id, 'Other.'],
      [id, 'Changed.'],
    ] as const)
      await galley.call('PATCH', `/api/documents/${which}`, { as: galley.as.owner, json: { content } })
    expect((await waits).data).toMatchObject({ revision: 2, updates: [{ revision: 2 }] })
    expect((await waiting(id, galley.as.owner)).data).toMatchObject({ revision: 2 })
    expect((await waiting(id, galley.as.owner, 2, 1)).data).toMatchObject({ revision: 2, updates: [] })
  })

  it('is told nothing once their link has ended', async () => {
    const { id } = await galley.newDocument({ content: first })
    const token = await galley.newToken(id, 'edit')
    const waits = waiting(id, { token })
    await isWaiting()
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    await galley.call('DELETE', `/api/documents/${id}/share?link_id=${link!.id}`, { as: galley.as.owner })
    // Though nothing happens that they wait for.
    expect((await waits).status).toBe(401)
    expect(galley.context.feed.waiting()).toBe(0)
  })

  it('is told at once what their link allows now, and waits on where another’s is changed', async () => {
    const { id } = await galley.newDocument({ content: first })
    const token = await galley.newToken(id, 'edit')
    const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    await galley.newToken(id, 'edit')
    const [other] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
    const allow = (which: string, permission: string) =>
      galley.call('PATCH', `/api/documents/${id}/share?link_id=${which}`, {
        as: galley.as.owner,
        json: { permission },
      })
    const waits = waiting(id, { token })
    await isWaiting()
    await allow(other!.id, 'view')
    await isWaiting()
    await allow(link!.id, 'view')
    expect((await waits).data).toMatchObject({ revision: 1, updates: [], permission: 'view' })
    expect(galley.context.feed.waiting()).toBe(0)
  })

  it('shares the room for waiting with others', async () => {
    const { id } = await galley.newDocument({ content: first })
    const [one, other] = [await galley.newToken(id, 'edit'), await galley.newToken(id, 'edit')]
    const all = Array.from({ length: limits.linkWaits }, () => waiting(id, { token: one }))
    await isWaiting(limits.linkWaits)
    expect((await waiting(id, { token: one })).status).toBe(429)
    all.push(waiting(id, { token: other }), waiting(id, galley.as.owner))
    await isWaiting(limits.linkWaits + 2)
    await galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json: { content: 'Now.' } })
    for (const answer of await Promise.all(all)) expect(answer.status).toBe(200)
  })
})

describe('who asks what has changed', () => {
  it('tells a link’s holder nothing that was replaced before there was the link', async () => {
    const { id } = await galley.newDocument({ content: 'Secret.\n' })
    const as = galley.as.owner
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content: first } })
    galley.clock.now += 1_000
    const token = await galley.newToken(id, 'edit')
    const ask = (since: number) =>
      galley.call('GET', `/api/documents/${id}/changes?since=${since}`, { as: { token } })
    const refused = await ask(1)
    expect([refused.status, JSON.stringify(refused.data)]).toEqual([
      412,
      expect.not.stringContaining('Secret'),
    ])
    expect((await ask(2)).data).toMatchObject({ revision: 2, updates: [] })
  })

  it.each([
    [
      'revoked',
      (id: string, link: string) => [
        ['DELETE', `/api/documents/${id}/share?link_id=${link}`],
        ['POST', `/api/documents/${id}/share/${link}/restore`],
      ],
    ],
    [
      'expired',
      (id: string, link: string) => [
        ['PATCH', `/api/documents/${id}/share?link_id=${link}`, { expires_at: '2026-03-01T09:30:01.000Z' }],
        ['PATCH', `/api/documents/${id}/share?link_id=${link}`, { expires_at: null }],
      ],
    ],
    [
      'stopped with all others',
      () => [
        ['PATCH', '/api/sharing', { stopped: true }],
        ['PATCH', '/api/sharing', { stopped: false }],
      ],
    ],
  ] as [string, (id: string, link: string) => [string, string, object?][]][])(
    'tells a link’s holder nothing that was replaced while the link was %s',
    async (_how, calls) => {
      const as = galley.as.owner
      const { id } = await galley.newDocument({ content: first })
      const token = await galley.newToken(id, 'edit')
      const [link] = galley.store.shareLinks.list(galley.store.documents.find(id)!.number)
      const [close, open] = calls(id, link!.id).map(
        ([method, url, json]) =>
          () =>
            galley.call(method, url, { as, ...(json ? { json } : {}) }),
      )
      expect((await close!()).status).toBe(200)
      galley.clock.now += 2_000
      const owner = await editor(id)
      owner.type(0, 0, 'Secret. ')
      await owner.push()
      owner.type(0, 8)
      await owner.push()
      galley.clock.now += 1_000
      expect((await open!()).status).toBe(200)
      const asked = await galley.call('GET', `/api/documents/${id}/changes?since=1`, { as: { token } })
      expect([asked.status, JSON.stringify(asked.data)]).toEqual([412, expect.not.stringContaining('Secret')])
    },
  )
})
