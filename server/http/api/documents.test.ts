import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../../contract/records/documents.ts'
import type { VersionSummary } from '../../contract/records/versions.ts'
import { createTestGalley, unknownId, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: { key: string }
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const list = (query = '') => galley.call('GET', `/api/documents${query}`, { as })
const read = async (id: string) => (await galley.call('GET', `/api/documents/${id}`, { as })).data as Document
const patch = (id: string, json: unknown, headers: Record<string, string> = {}) =>
  galley.call('PATCH', `/api/documents/${id}`, { as, json, headers })

describe('creating', () => {
  it('needs nothing, and then makes an empty document called “Untitled”', async () => {
    const { status, data, headers } = await galley.call('POST', '/api/documents', { as, json: {} })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      owner_id: galley.user.id,
      title: 'Untitled',
      content: '',
      revision: 1,
      created_at: '2026-03-01T09:30:00.000Z',
      updated_at: '2026-03-01T09:30:00.000Z',
    })
    expect(headers['etag']).toBe('"1"')
  })

  it('ignores fields it doesn’t know, also those that a careless server would take', async () => {
    const json = {
      content: 'Text',
      id: unknownId,
      owner_id: galley.other.id,
      revision: 99,
      created_at: '1999-01-01T00:00:00Z',
      constructor: { prototype: { polluted: true } },
    }
    const body = JSON.stringify(json).replace('{', '{"__proto__":{"title":"Polluted"},')
    const { data } = await galley.call('POST', '/api/documents', { as, body })
    expect(data).toMatchObject({ title: 'Untitled', content: 'Text', owner_id: galley.user.id, revision: 1 })
    expect(data.id).not.toBe(unknownId)
    expect({}).not.toHaveProperty('polluted')
  })

  it.each([
    '{"title":5}',
    '{"title":null}',
    '{"content":null}',
    '{"content":["a"]}',
    '{"title":{"length":1}}',
    '[]',
    '"text"',
    'null',
    'true',
    '1',
    '',
    ' ',
  ])('refuses %s', async (body) => {
    const { code } = await galley.call('POST', '/api/documents', { as, body })
    expect(code).toBe('VALIDATION_ERROR')
    expect((await list()).data).toEqual([])
  })

  it('takes an empty title for what it is', async () => {
    expect((await galley.newDocument({ title: '' })).title).toBe('')
  })
})

describe('reading', () => {
  it('answers 304 to whoever has the revision already, and only to them', async () => {
    const { id } = await galley.newDocument()
    const ask = (tag: string, token?: string) =>
      galley.call('GET', `/api/documents/${id}`, {
        as: token === undefined ? as : { token },
        headers: { 'if-none-match': tag },
      })
    for (const tag of ['"1"', 'W/"1"', '"0", "1"', '*']) {
      const answer = await ask(tag)
      expect([tag, answer.status, answer.headers['etag']]).toEqual([tag, 304, '"1"'])
    }
    for (const tag of ['"2"', '"11"', '', '"', 'x'])
      expect([tag, (await ask(tag)).status]).toEqual([tag, 200])
    expect((await ask('"1"', '0'.repeat(32))).status).toBe(401)
    await patch(id, { content: 'x' })
    expect((await ask('"1"')).status).toBe(200)
  })

  it('tells a link’s holder what it allows, though they have the revision already', async () => {
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'edit')
    const ask = () =>
      galley.call('GET', `/api/documents/${id}`, {
        as: { token },
        headers: { 'if-none-match': '"1"' },
      })
    expect(await ask()).toMatchObject({ status: 200, data: { permission: 'edit', revision: 1 } })
    const [link] = (await galley.call('GET', `/api/documents/${id}/share`, { as })).data as { id: string }[]
    const changed = await galley.call('PATCH', `/api/documents/${id}/share?link_id=${link!.id}`, {
      as,
      json: { permission: 'comment' },
    })
    expect(changed.status).toBe(200)
    expect(await ask()).toMatchObject({ status: 200, data: { permission: 'comment', revision: 1 } })
  })

  it('answers HEAD as GET, without the text', async () => {
    const { id } = await galley.newDocument({ content: 'Text' })
    const answer = await galley.call('HEAD', `/api/documents/${id}`, { as })
    expect([answer.status, answer.text, answer.headers['etag']]).toEqual([200, '', '"1"'])
    expect((await galley.call('HEAD', `/api/documents/${id}`)).status).toBe(401)
  })

  it('with a token shows the link’s level, and without never', async () => {
    const { id } = await galley.newDocument({ content: 'Text' })
    for (const permission of ['view', 'comment', 'edit'] as const) {
      const token = await galley.newToken(id, permission)
      for (const beside of [{}, as, galley.as.session, galley.as.stranger, { key: 'nonsense' }]) {
        const { data } = await galley.call('GET', `/api/documents/${id}`, { as: { ...beside, token } })
        expect(data.permission).toBe(permission)
      }
    }
    expect(await read(id)).not.toHaveProperty('permission')
  })
})

describe('changing', () => {
  it('changes only what is sent, and makes it later than before though the clock stands still', async () => {
    let before = await galley.newDocument({ title: 'Title', content: 'Text' })
    for (const [json, title, content] of [
      [{ content: 'New' }, 'Title', 'New'],
      [{ title: 'Other' }, 'Other', 'New'],
      [{ title: '', content: '' }, '', ''],
      [{ content: '' }, '', ''],
      [{ content: 'x', unknown: 1 }, '', 'x'],
    ] as const) {
      const { data, headers } = await patch(before.id, json)
      expect([data.title, data.content, data.revision]).toEqual([title, content, before.revision + 1])
      expect(data.updated_at > before.updated_at).toBe(true)
      expect(data.created_at).toBe(before.created_at)
      expect(headers['etag']).toBe(`"${data.revision}"`)
      expect(await read(before.id)).toEqual(data)
      before = data
    }
    galley.clock.now -= 60_000
    expect((await patch(before.id, { content: 'y' })).data.updated_at > before.updated_at).toBe(true)
  })

  it.each([
    '{}',
    '{"unknown":1}',
    '{"author_name":"Me"}',
    '{"Title":"x"}',
    '{"title":1}',
    '{"content":1}',
    '[]',
    '',
  ])('refuses %s', async (body) => {
    const before = await galley.newDocument({ content: 'Text' })
    const { code } = await galley.call('PATCH', `/api/documents/${before.id}`, { as, body })
    expect(code).toBe('VALIDATION_ERROR')
    expect(await read(before.id)).toEqual(before)
  })

  it('honours If-Match, and hands out the current document where it fails', async () => {
    const { id } = await galley.newDocument({ content: 'one' })
    expect((await patch(id, { content: 'two' }, { 'if-match': '"1"' })).status).toBe(200)
    const late = await patch(id, { content: 'three' }, { 'if-match': '"1"' })
    expect([late.status, late.data.content, late.data.revision]).toEqual([412, 'two', 2])
    expect(late.headers['etag']).toBe('"2"')
    for (const tag of ['"2"', '"1", "2"', '*', '2'])
      expect((await patch(id, { content: 'two' }, { 'if-match': tag })).status).toBe(
        tag === '"2"' || tag === '*' ? 200 : 412,
      )
  })

  it('honours the title that one was made of, whatever the text has become, and hands out the document where it fails', async () => {
    const { id } = await galley.newDocument({ title: 'Base', content: 'one' })
    await patch(id, { content: 'two' })
    expect((await patch(id, { title: 'Based', base_title: 'Base' })).status).toBe(200)
    const late = await patch(id, { title: 'Basis', content: 'three', base_title: 'Base' })
    expect([late.status, late.data.title, late.data.content, late.data.revision]).toEqual([
      ...[412, 'Based', 'two', 3],
    ])
    expect((await read(id)).title).toBe('Based')
  })

  it('hands a link’s holder a 412 that says no more than reading does', async () => {
    const { id } = await galley.newDocument()
    const token = await galley.newToken(id, 'edit')
    const url = `/api/documents/${id}`
    const late = await galley.call('PATCH', url, {
      as: { token },
      json: { content: 'x' },
      headers: { 'if-match': '"7"' },
    })
    expect(late.data).toEqual((await galley.call('GET', url, { as: { token } })).data)
  })

  it('of the title alone is a version of that kind, though the text is sent along', async () => {
    const { id } = await galley.newDocument({ title: 'Old', content: 'Same' })
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { title: 'New', content: 'Same' } })
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { title: 'Newer' } })
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { title: 'Newest', content: 'Other' } })
    const { data } = await galley.call('GET', `/api/documents/${id}/versions`, { as })
    expect((data as VersionSummary[]).map(({ kind }) => kind)).toEqual(['edit', 'title', 'title', 'create'])
  })

  it('always applies without If-Match, and keeps what it overwrites in the versions', async () => {
    const { id } = await galley.newDocument({ content: 'start' })
    const texts = Array.from({ length: 20 }, (_, i) => `text ${i}`)
    await Promise.all(texts.map((content) => patch(id, { content })))
    const versions = await galley.call('GET', `/api/documents/${id}/versions`, { as })
    const kept = new Set<string>()
    for (const { revision } of versions.data as { revision: number }[])
      kept.add((await galley.call('GET', `/api/documents/${id}/versions/${revision}`, { as })).data.content)
    for (const text of ['start', ...texts]) expect(kept).toContain(text)
    expect((await read(id)).revision).toBe(21)
  })
})

describe('deleting', () => {
  it('is for good, takes everything along, and can’t be done twice', async () => {
    const { id } = await galley.newDocument({ content: 'goes out' })
    const token = await galley.newToken(id, 'edit')
    const comment = await galley.newComment(id)
    await galley.newSuggestion(id)
    const url = `/api/documents/${id}`
    expect((await galley.call('DELETE', url, { as: { token } })).code).toBe('UNAUTHORIZED')
    const [one, two] = await Promise.all([
      galley.call('DELETE', url, { as }),
      galley.call('DELETE', url, { as }),
    ])
    expect([one.status, two.status].toSorted()).toEqual([200, 404])
    expect([one, two].find((answer) => answer.status === 200)!.data).toEqual({ deleted: true })
    for (const path of [url, `${url}/comments`, `${url}/suggestions`, `${url}/versions`, `${url}/share`])
      expect((await galley.call('GET', path, { as })).code).toBe('NOT_FOUND')
    expect((await galley.call('GET', url, { as: { token } })).code).toBe('UNAUTHORIZED')
    expect((await galley.call('PATCH', `${url}/comments/${comment.id}`, { as, json: {} })).code).toBe(
      'NOT_FOUND',
    )
    for (const table of [
      'documents',
      'changes',
      'versions',
      'share_links',
      'comments',
      'suggestions',
      'renders',
    ])
      expect(galley.store.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0)
  })
})

describe('deleted only if unused', () => {
  const drop = (id: string) =>
    galley.call('DELETE', `/api/documents/${id}?only_unused=true`, { as: galley.as.owner })

  it('goes what is as it was created, empty', async () => {
    const { id } = await galley.newDocument({})
    expect((await drop(id)).data).toEqual({ deleted: true })
    expect((await drop(id)).code).toBe('NOT_FOUND')
  })

  it('stays what was written, renamed, shared or commented on', async () => {
    const [written, changed, renamed, shared, commented, suggested] = await Promise.all([
      galley.newDocument({ content: ' ' }),
      galley.newDocument(),
      galley.newDocument(),
      galley.newDocument(),
      galley.newDocument(),
      galley.newDocument(),
    ])
    const patch = (id: string, json: object) =>
      galley.call('PATCH', `/api/documents/${id}`, { as: galley.as.owner, json })
    await patch(changed.id, { content: 'x' })
    await patch(changed.id, { content: '' })
    await patch(renamed.id, { title: 'Named' })
    await galley.newToken(shared.id, 'view')
    await galley.newComment(commented.id)
    await galley.newSuggestion(suggested.id)
    for (const { id } of [written, changed, renamed, shared, commented, suggested]) {
      const answer = await drop(id)
      expect(answer.code).toBe('PRECONDITION_FAILED')
      expect(answer.data).toMatchObject({ id })
    }
  })
})
