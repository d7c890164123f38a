import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepTrash } from '../../trash-sweep.ts'
import { createTestGalley, hosts, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
beforeAll(async () => {
  galley = await createTestGalley()
})
afterAll(() => galley.close())

const day = 24 * 60 * 60 * 1000
const owner = () => ({ as: galley.as.owner })
const trash = (id: string) => galley.call('POST', `/api/documents/${id}/trash`, owner())
const restore = (id: string) => galley.call('POST', `/api/trash/${id}/restore`, owner())
const trashed = async (query = '') =>
  (await galley.call('GET', `/api/trash${query}`, owner())).data as { id: string; deleted_at: string }[]
const page = (token: string) =>
  galley.apps.share.inject({ url: `/share/${token}`, headers: { host: hosts.share } })

describe('a document in the trash', () => {
  it('is not found by any route of documents, by key or by link, nor in a list, a search or an export', async () => {
    const { id } = await galley.newDocument({ title: 'Put away', content: 'Peculiar words' })
    const token = await galley.newToken(id, 'edit')
    const comment = await galley.newComment(id)
    expect((await trash(id)).data).toMatchObject({ id, title: 'Put away', deleted_at: expect.any(String) })

    const at = `/api/documents/${id}`
    const calls = [
      ['GET', at],
      ['PATCH', at, { content: 'Changed' }],
      ['GET', `${at}/comments`],
      ['POST', `${at}/comments`, { body: 'Still there?' }],
      ['PATCH', `${at}/comments/${comment.id}`, { resolved: true }],
      ['GET', `${at}/rendered`],
      ['GET', `${at}/export`],
      ['GET', `${at}/suggestions`],
    ] as const
    for (const as of [galley.as.owner, { token }])
      for (const [method, url, json] of calls) {
        const answer = await galley.call(method, url, { as, ...(json ? { json } : {}) })
        expect(`${method} ${url} ${answer.code}`).toBe(`${method} ${url} NOT_FOUND`)
      }
    for (const [method, url] of [
      ['GET', `${at}/share`],
      ['GET', `${at}/versions`],
      ['DELETE', at],
      ['POST', `${at}/trash`],
    ] as const)
      expect((await galley.call(method, url, owner())).code).toBe('NOT_FOUND')
    const other = await galley.newDocument()
    expect((await galley.call('GET', `/api/documents/${other.id}`, { as: { token } })).code).toBe(
      'UNAUTHORIZED',
    )
    for (const query of ['', '?q=peculiar']) {
      const listed = await galley.call('GET', `/api/documents${query}`, owner())
      expect((listed.data as { id: string }[]).map((one) => one.id)).not.toContain(id)
    }
    expect(galley.store.documents.listIds(galley.user.id)).not.toContain(id)
  })

  it('can be listed, searched and read there, by a read key too, and not changed', async () => {
    const { id } = await galley.newDocument({ title: 'One', content: 'An unusual zeppelin' })
    const later = await galley.newDocument({ title: 'Two', content: 'Nothing' })
    galley.clock.now += 1
    await trash(id)
    galley.clock.now += 1
    await trash(later.id)
    expect((await trashed('?limit=2')).map((one) => one.id)).toEqual([later.id, id])
    expect(await trashed('?q=zepp')).toEqual([
      expect.objectContaining({ id, snippet: 'An unusual zeppelin', deleted_at: expect.any(String) }),
    ])
    const read = await galley.call('GET', `/api/trash/${id}`, { as: galley.as.reader })
    expect(read.data).toMatchObject({ id, title: 'One', content: 'An unusual zeppelin', revision: 1 })
    expect((await galley.call('GET', `/api/trash/${id}`, { as: galley.as.stranger })).code).toBe('NOT_FOUND')
    expect((await galley.call('DELETE', `/api/trash/${id}`, { as: galley.as.reader })).code).toBe('FORBIDDEN')
    expect((await galley.call('DELETE', `/api/trash/${id}`, { as: galley.as.stranger })).code).toBe(
      'NOT_FOUND',
    )
  })

  it('has links whose page says that it is not available', async () => {
    const { id } = await galley.newDocument({ title: 'Secret plans', content: 'Words for their eyes' })
    const token = await galley.newToken(id, 'view')
    expect((await page(token)).statusCode).toBe(200)
    await trash(id)
    const answer = await page(token)
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toContain('not available')
    expect(answer.body).not.toMatch(/Secret plans|for their eyes/)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('does not count among what is shared', async () => {
    const { id } = await galley.newDocument()
    await galley.newToken(id, 'view')
    const [links, count] = [
      galley.store.sharing.countLinks(galley.user.id),
      galley.store.shareLinks.countValid(),
    ]
    await trash(id)
    expect(galley.store.sharing.countLinks(galley.user.id)).toBe(links - 1)
    expect(galley.store.shareLinks.countValid()).toBe(count - 1)
  })
})

describe('restored', () => {
  it('it is what it was: text, versions, comments, suggestions and links', async () => {
    const { id } = await galley.newDocument({ title: 'Back', content: 'First out.' })
    await galley.call('PATCH', `/api/documents/${id}`, { ...owner(), json: { content: 'Second out.' } })
    const token = await galley.newToken(id, 'edit')
    await galley.newComment(id, { token })
    await galley.newSuggestion(id)
    const at = `/api/documents/${id}`
    const look = () =>
      Promise.all(
        [at, `${at}/comments`, `${at}/suggestions`, `${at}/versions`, `${at}/share`].map(
          async (url) => (await galley.call('GET', url, owner())).data,
        ),
      )
    const before = await look()
    await trash(id)
    const answer = await restore(id)
    expect(answer.data).toEqual(before[0])
    expect(answer.headers['etag']).toBe('"2"')
    expect(await look()).toEqual(before)
    expect((await page(token)).statusCode).toBe(200)
    expect((await restore(id)).code).toBe('NOT_FOUND')
    expect((await trashed()).map((one) => one.id)).not.toContain(id)
  })

  it('whoever watches is told both ways', async () => {
    const { id } = await galley.newDocument()
    galley.events.length = 0
    await trash(id)
    expect(galley.events).toMatchObject([
      { documentId: id, kind: 'document.trashed', ownerId: galley.user.id },
    ])
    galley.events.length = 0
    await restore(id)
    expect(galley.events).toMatchObject([{ documentId: id, kind: 'document.restored' }])
  })
})

describe('for good', () => {
  it('goes one, or all that is there, and nothing beside it', async () => {
    const kept = await galley.newDocument()
    const theirs = await galley.newDocument({}, galley.as.stranger)
    await galley.call('POST', `/api/documents/${theirs.id}/trash`, { as: galley.as.stranger })
    const [one, two, three] = [
      await galley.newDocument(),
      await galley.newDocument(),
      await galley.newDocument(),
    ]
    for (const { id } of [one, two, three]) await trash(id)
    expect((await galley.call('DELETE', `/api/trash/${kept.id}`, owner())).code).toBe('NOT_FOUND')
    expect((await galley.call('DELETE', `/api/trash/${one.id}`, owner())).data).toEqual({ deleted: true })
    expect((await restore(one.id)).code).toBe('NOT_FOUND')
    expect((await galley.call('DELETE', '/api/trash', owner())).data).toEqual({ deleted: true })
    expect(await trashed()).toEqual([])
    const rows = galley.store.db.prepare('SELECT id FROM documents').pluck().all()
    for (const { id } of [one, two, three]) expect(rows).not.toContain(id)
    expect(rows).toEqual(expect.arrayContaining([kept.id, theirs.id]))
    await galley.call('DELETE', '/api/trash', { as: galley.as.stranger })
  })

  it('goes by itself what has been there for the days that were set, never before, and never where none are', async () => {
    const sweepAll = () => {
      const gone: string[] = []
      for (let one; (one = galley.store.trash.sweepOne());) gone.push(one.id)
      return gone
    }
    const settings = (json: object) => galley.call('PATCH', '/api/settings', { ...owner(), json })
    expect((await galley.call('GET', '/api/settings', owner())).data).toMatchObject({ trash_days: 30 })
    const { id } = await galley.newDocument()
    await trash(id)
    galley.clock.now += 30 * day - 1
    expect(sweepAll()).toEqual([])
    expect((await settings({ trash_days: null })).data).toMatchObject({ trash_days: null })
    galley.clock.now += 1000 * day
    expect(sweepAll()).toEqual([])
    expect((await settings({ trash_days: 1030 })).data).toMatchObject({ trash_days: 1030, theme: 'system' })
    expect(sweepAll()).toEqual([])
    for (const trash_days of [0, -1, 1.5, 3651, '30', true])
      expect((await settings({ trash_days })).code).toBe('VALIDATION_ERROR')
    galley.clock.now += 1
    expect(sweepAll()).toEqual([id])
    expect((await settings({ trash_days: 30 })).data).toMatchObject({ trash_days: 30 })
  })

  it('is swept in the background, which goes on after a failure', async () => {
    const gone = [await galley.newDocument(), await galley.newDocument()]
    for (const { id } of gone) await trash(id)
    galley.clock.now += 30 * day
    let failures = 0
    const told: string[] = []
    const store = {
      ...galley.store,
      trash: {
        ...galley.store.trash,
        sweepOne() {
          if (failures === 0) throw new Error('The disk is full.')
          return galley.store.trash.sweepOne()
        },
      },
    }
    const stop = sweepTrash({
      context: {
        store,
        publish: (events) => {
          for (const { kind, documentId } of events)
            if (kind === 'document.deleted' && documentId) told.push(documentId)
        },
      },
      onFailure: () => failures++,
      every: 1,
    })
    await expect.poll(() => told.length).toBe(2)
    stop()
    expect(failures).toBe(1)
    expect(told.sort()).toEqual(gone.map(({ id }) => id).sort())
  })
})
