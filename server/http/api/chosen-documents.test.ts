import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../../contract/records/documents.ts'
import type { EventRecord } from '../../contract/records/events.ts'
import { createTestGalley, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let chosen: Document
let other: Document
let agent: { key: string }
beforeEach(async () => {
  galley = await createTestGalley()
  chosen = await galley.newDocument({ title: 'Chosen', content: 'A galley goes out.\n' })
  other = await galley.newDocument({ title: 'Secret', content: 'Another galley stays here.\n' })
  const documents = [chosen.id]
  agent = { key: galley.newKey(galley.user.id, 'suggest', { name: 'Claude', kind: 'agent', documents }) }
})
afterEach(() => galley.close())

const get = (url: string, as = agent) => galley.call('GET', url, { as })

describe('a key for chosen documents', () => {
  it('finds and lists these only, also what isn’t in the index yet', async () => {
    const ids = async (url: string) => ((await get(url)).data as { id: string }[]).map(({ id }) => id)
    expect(await ids('/api/documents')).toEqual([chosen.id])
    expect(await ids('/api/documents?offset=1')).toEqual([])
    expect(await ids('/api/documents?q=galley')).toEqual([chosen.id])
    galley.store.searchIndex.write(1_000)
    expect(await ids('/api/documents?q=galley')).toEqual([chosen.id])
    expect(await ids('/api/documents?q=alle')).toEqual([chosen.id])
    expect(await ids('/api/documents?q=stays')).toEqual([])
  })

  it('hears of what happens to these only', async () => {
    await galley.newComment(other.id)
    await galley.newComment(chosen.id)
    await galley.call('POST', '/api/keys', { as: galley.as.owner, json: { name: 'More' } })
    const all = (await get('/api/events')).data as EventRecord[]
    expect(all.map(({ document_id, kind }) => [document_id, kind])).toEqual([
      [chosen.id, 'document.created'],
      [chosen.id, 'comment.created'],
    ])
    expect((await get(`/api/events?document=${other.id}`)).data).toEqual([])
    // What happens to others doesn't end its wait.
    const since = all.at(-1)!.seq
    const waits = get(`/api/events?since=${since}&wait=2`)
    await galley.newComment(other.id)
    const made = await galley.newComment(chosen.id)
    expect(((await waits).data as EventRecord[]).map(({ subject_id }) => subject_id)).toEqual([made.id])
  })

  it('goes on knowing nothing else once its document is gone, and lets nobody have more than its user', async () => {
    await galley.call('DELETE', `/api/documents/${chosen.id}`, { as: galley.as.owner })
    expect((await get('/api/documents')).data).toEqual([])
    expect((await get(`/api/documents/${other.id}`)).status).toBe(404)
    const make = (documents: unknown, access?: string) =>
      galley.call('POST', '/api/keys', { as: galley.as.owner, json: { name: 'x', documents, access } })
    const theirs = await galley.newDocument({}, galley.as.stranger)
    for (const bad of [[theirs.id], [chosen.id], ['x'], [], 'x']) {
      const { status, code } = await make(bad)
      expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    expect((await make([other.id], 'full')).status).toBe(400)
    expect((await make([other.id, other.id.toUpperCase()])).data).toMatchObject({
      documents: [other.id],
      access: 'manage',
    })
  })
})

describe('an agent', () => {
  it('suggests where nothing else is said, and is told what it may', async () => {
    const json = { name: 'Claude', kind: 'agent' }
    const { data } = await galley.call('POST', '/api/keys', { as: galley.as.owner, json })
    expect(data).toMatchObject({ kind: 'agent', access: 'suggest', documents: null })
    expect((await get('/api/me', { key: data.key })).data).toMatchObject({
      ...{ id: galley.user.id, author_kind: 'agent' },
      key: { id: data.id, name: 'Claude', access: 'suggest', documents: null },
    })
  })

  it('is named beside all that it writes, and so is who accepts it', async () => {
    const url = `/api/documents/${chosen.id}`
    const by = { author_name: galley.user.name, key_name: 'Claude', author_kind: 'agent' }
    expect(await galley.newComment(chosen.id, agent)).toMatchObject({ ...by, mine: true })
    const suggestion = await galley.newSuggestion(chosen.id, agent)
    expect(suggestion).toMatchObject(by)
    await galley.call('POST', `${url}/suggestions/${suggestion.id}/accept`, { as: galley.as.session })
    const [version, first] = (await get(`${url}/versions`)).data as Record<string, unknown>[]
    expect(version).toMatchObject({
      ...{ kind: 'suggestion', author_kind: 'person', key_name: null },
      suggesters: [{ name: galley.user.name, guest: false, kind: 'agent', key_name: 'Claude' }],
    })
    // A key whose kind nobody has chosen is a script's.
    expect(first).toMatchObject({ author_kind: 'script', key_name: 'Test' })
    const kinds = ((await get('/api/events')).data as EventRecord[]).map(({ principal }) => principal)
    expect(kinds).toMatchObject([
      { kind: 'key', author_kind: 'script' },
      { kind: 'key', name: 'Claude', author_kind: 'agent' },
      { kind: 'key', name: 'Claude', author_kind: 'agent' },
      { kind: 'owner', author_kind: 'person' },
      { kind: 'owner', author_kind: 'person' },
    ])
  })

  it('changes and deletes what it wrote itself, never what its user or another key did', async () => {
    const url = `/api/documents/${chosen.id}`
    const [own, users] = [await galley.newComment(chosen.id, agent), await galley.newComment(chosen.id)]
    const patch = (id: string, json: unknown) =>
      galley.call('PATCH', `${url}/comments/${id}`, { as: agent, json })
    expect((await patch(own.id, { body: 'Better.' })).status).toBe(200)
    for (const json of [{ body: 'Mine now.' }, { resolved: true }])
      expect((await patch(users.id, json)).status).toBe(403)
    expect((await galley.call('DELETE', `${url}/comments/${users.id}`, { as: agent })).status).toBe(403)
    expect((await galley.call('DELETE', `${url}/comments/${own.id}`, { as: agent })).status).toBe(200)
    // Nor does its user change what it wrote: they resolve, delete or decide it.
    const said = await galley.newComment(chosen.id, agent)
    const byUser = (method: string, json?: unknown) =>
      galley.call(method, `${url}/comments/${said.id}`, { as: galley.as.session, ...(json ? { json } : {}) })
    expect((await byUser('PATCH', { body: 'Its words.' })).status).toBe(403)
    expect((await byUser('PATCH', { resolved: true })).data).toMatchObject({ mine: false })
    expect((await byUser('DELETE')).status).toBe(200)
    const theirs = await galley.newSuggestion(chosen.id)
    expect((await galley.call('DELETE', `${url}/suggestions/${theirs.id}`, { as: agent })).status).toBe(403)
    const mine = await galley.newSuggestion(chosen.id, agent)
    expect((await galley.call('DELETE', `${url}/suggestions/${mine.id}`, { as: agent })).status).toBe(200)
    const listed = (await get(`${url}/comments`)).data as { id: string; mine: boolean }[]
    expect(listed.map(({ id, mine }) => [id, mine])).toEqual([[users.id, false]])
  })
})
