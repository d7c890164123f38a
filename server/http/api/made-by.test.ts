import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from '../../contract/records/documents.ts'
import type { VersionSummary } from '../../contract/records/versions.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let document: Document
let url: string
let robot: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  document = await galley.newDocument({ content: 'A galley goes out for review.\n' }, galley.as.session)
  url = `/api/documents/${document.id}`
  robot = {
    key: galley.store.apiKeys.create(galley.user.id, {
      name: 'Proof reader',
      access: 'full',
      expiresAt: null,
    }).key,
  }
})
afterEach(() => galley.close())

const read = async (what: string) =>
  (await galley.call('GET', `${url}/${what}`, { as: galley.as.session })).data
const newest = async () => ((await read('versions')) as VersionSummary[])[0]!
const accept = (id: string, as: TestCredentials = galley.as.session) =>
  galley.call('POST', `${url}/suggestions/${id}/accept`, { as })

describe('what is made with a key', () => {
  it('says so with the key’s name: comments, replies, suggestions and versions', async () => {
    const comment = await galley.newComment(document.id, robot)
    await galley.newComment(document.id, robot, { parent_id: comment.id })
    await galley.newSuggestion(document.id, robot)
    await galley.call('PATCH', url, { as: robot, json: { content: 'A galley goes out.\n' } })
    const by = { author_name: galley.user.name, key_name: 'Proof reader' }
    expect(await read('comments')).toMatchObject([by, by])
    expect(await read('suggestions')).toMatchObject([by])
    expect(await newest()).toMatchObject({ kind: 'edit', ...by })
  })

  it('says so still when the key is deleted, and to recipients', async () => {
    const token = await galley.newToken(document.id, 'view')
    await galley.newComment(document.id, robot)
    for (const { id } of galley.store.apiKeys.list(galley.user.id))
      galley.store.apiKeys.delete(id, galley.user.id)
    const seen = await galley.call('GET', `${url}/comments`, { as: { token }, on: 'share' })
    expect(seen.data).toMatchObject([{ key_name: 'Proof reader' }])
  })

  it('says so where a share token stands beside the key', async () => {
    const token = await galley.newToken(document.id, 'comment')
    const comment = await galley.newComment(document.id, { token, ...robot })
    expect(comment).toMatchObject({ author_name: galley.user.name, key_name: 'Proof reader' })
  })

  it('is told from what a person made', async () => {
    const token = await galley.newToken(document.id, 'edit')
    await galley.newComment(document.id, galley.as.session)
    await galley.newComment(document.id, { token })
    await galley.newSuggestion(document.id, { token })
    for (const what of ['comments', 'suggestions', 'versions'])
      for (const one of (await read(what)) as { key_name: unknown }[]) expect(one.key_name).toBeNull()
  })

  it('is a version of its own, never folded into a person’s', async () => {
    const edit = (as: TestCredentials, content: string, revision: number) =>
      galley.call('PATCH', url, { as, json: { content }, headers: { 'if-match': `"${revision}"` } })
    await edit(galley.as.session, 'A galley goes out for review!\n', 1)
    await edit(robot, 'A galley goes out for a review!\n', 2)
    const names = ((await read('versions')) as VersionSummary[]).map(({ key_name }) => key_name)
    expect(names).toEqual(['Proof reader', null, null])
  })
})

describe('a version from accepted suggestions', () => {
  const suggest = async (author_name: string, original_text: string) =>
    galley.newSuggestion(
      document.id,
      { token: await galley.newToken(document.id, 'edit') },
      { original_text, suggested_text: 'x', author_name },
    )

  it('names who suggested it, and who accepted', async () => {
    await accept((await suggest('Ada', 'goes')).id, robot)
    expect(await newest()).toMatchObject({
      kind: 'suggestion',
      author_name: galley.user.name,
      key_name: 'Proof reader',
      suggested_by: ['Ada'],
    })
  })

  it('names each of many once, in their order, and only those whose words were taken', async () => {
    for (const [name, words] of [
      ['Ada', 'galley'],
      ['Grace', 'goes'],
      ['Ada', 'out'],
      ['Nobody', 'not in the text'],
    ] as const)
      await suggest(name, words)
    await galley.call('POST', `${url}/suggestions/resolve`, {
      as: galley.as.session,
      json: { action: 'accept' },
    })
    expect((await newest()).suggested_by).toEqual(['Ada', 'Grace'])
  })

  it('tells a guest from the owner, though they call themselves the same', async () => {
    await suggest(galley.user.name, 'galley')
    await galley.newSuggestion(document.id, galley.as.session, {
      original_text: 'goes',
      suggested_text: 'x',
    })
    await galley.call('POST', `${url}/suggestions/resolve`, {
      as: galley.as.session,
      json: { action: 'accept' },
    })
    const { name } = galley.user
    expect(await newest()).toMatchObject({
      suggested_by: [name],
      suggesters: [
        { name, guest: true },
        { name, guest: false },
      ],
    })
  })

  it('says of what an older Galley noted only the names', async () => {
    await accept((await suggest('Ada', 'goes')).id, robot)
    galley.store.db.prepare(`UPDATE versions SET suggested_by = '["Ada"]' WHERE kind = 'suggestion'`).run()
    expect(await newest()).toMatchObject({
      suggested_by: ['Ada'],
      suggesters: [{ name: 'Ada', guest: null }],
    })
  })

  it('names a bounded number', async () => {
    for (let one = 0; one < 25; one++)
      galley.store.suggestions.create(
        galley.store.documents.find(document.id)!.number,
        { id: null, name: `Guest ${one}`, key: `guest:${one}` },
        { original_text: 'A', suggested_text: 'A', note: null, anchor: null, range: null },
      )
    await galley.call('POST', `${url}/suggestions/resolve`, {
      as: galley.as.session,
      json: { action: 'accept' },
    })
    const { suggested_by } = await newest()
    expect(suggested_by.length).toBeLessThanOrEqual(20)
    expect(suggested_by[0]).toBe('Guest 0')
  })

  it('is no other version', async () => {
    await galley.call('PATCH', url, { as: galley.as.session, json: { content: 'Changed.\n' } })
    for (const version of (await read('versions')) as VersionSummary[])
      expect(version.suggested_by).toEqual([])
  })
})
