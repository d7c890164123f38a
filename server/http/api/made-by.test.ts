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

describe('who did something is told beside who made it', () => {
  const claude = () => ({
    key: galley.newKey(galley.user.id, 'manage', { name: 'Claude', kind: 'agent' as const }),
  })
  const its = { key_name: 'Claude', author_kind: 'agent', author_name: '', mine: false }
  const does = async (method: string, what: string, as: TestCredentials, json?: object) =>
    (await galley.call(method, `${url}${what}`, { as, ...(json ? { json } : {}) })).data
  const seenBy = async (token: string, what: string) =>
    (await galley.call('GET', `${url}/${what}`, { as: { token }, on: 'share' })).data

  beforeEach(() => void (its.author_name = galley.user.name))

  it('who changed the text, to whoever is told of changes', async () => {
    const token = await galley.newToken(document.id, 'edit')
    const key = { key: galley.newKey(galley.user.id, 'edit', { name: 'Aedit', kind: 'agent' }) }
    await does('PATCH', '', key, { content: 'A galley goes out.\n' })
    await does('PATCH', '', galley.as.session, { content: 'A galley came.\n' })
    const author = galley.user.name
    const changes = [
      { author, author_kind: 'agent', key_name: 'Aedit' },
      { author, author_kind: 'person', key_name: null },
    ]
    expect(await read('changes?since=1')).toMatchObject({ updates: changes })
    expect(await seenBy(token, 'changes?since=1')).toMatchObject({ updates: changes })
    const viewer = await galley.newToken(document.id, 'view')
    const unsaid = { author: null, author_kind: null, key_name: null }
    expect(await seenBy(viewer, 'changes?since=1')).toMatchObject({ updates: [unsaid, unsaid] })
    await does('POST', '/changes', robot, {
      base: 3,
      client: 'k3nR0v7pQ2xW9sTz',
      number: 1,
      changes: [15, [0, '!']],
    })
    expect(await read('changes?since=3')).toMatchObject({
      updates: [{ author, author_kind: 'script', key_name: 'Proof reader' }],
    })
  })

  it('who decided, until that is taken back, to recipients too', async () => {
    const as = claude()
    const token = await galley.newToken(document.id, 'comment')
    const thread = await galley.newComment(document.id, { token })
    const own = await galley.newComment(document.id, { token, guest: 'a'.repeat(32) }, { author_name: 'Ada' })
    const [one, other] = [await galley.newSuggestion(document.id), await galley.newSuggestion(document.id)]
    expect(one).not.toHaveProperty('resolved_by')
    await does('POST', `/suggestions/${one.id}/reject`, as)
    await does('POST', '/suggestions/resolve', galley.as.session, { action: 'reject', ids: [other.id] })
    await does('PATCH', `/comments/${thread.id}`, as, { resolved: true })
    await does('PATCH', `/comments/${own.id}`, { token, guest: 'a'.repeat(32) }, { resolved: true })
    const person = { author_id: galley.user.id, author_kind: 'person', key_name: null }
    const ada = { author_id: null, author_name: 'Ada', author_kind: 'guest', mine: false }
    expect(await read('comments')).toMatchObject([{ resolved_by: its }, { resolved_by: ada }])
    expect(await read('suggestions')).toMatchObject([
      { resolved_by: its },
      { resolved_by: { ...person, mine: true } },
    ])
    expect(await seenBy(token, 'comments')).toMatchObject([{ resolved_by: its }, { resolved_by: ada }])
    expect(await seenBy(token, 'suggestions')).toMatchObject([
      { resolved_by: its },
      { resolved_by: { ...person, mine: false } },
    ])
    // Somebody else says it again: it is still whose it was.
    const again = await does('PATCH', `/comments/${thread.id}`, galley.as.session, { resolved: true })
    expect(again).toMatchObject({ resolved_by: its })
    const reopened = await does('PATCH', `/comments/${thread.id}`, galley.as.session, { resolved: false })
    expect(reopened).not.toHaveProperty('resolved_by')
    expect(await does('POST', `/suggestions/${one.id}/reopen`, as)).not.toHaveProperty('resolved_by')
  })

  it('who asked for a review, made a link, and deleted', async () => {
    const as = claude()
    const token = await galley.newToken(document.id, 'view')
    await does('POST', '/rounds', as, {})
    await does('POST', '/share', as, {})
    expect(await read('rounds')).toMatchObject([{ asked_by: its }])
    expect(await seenBy(token, 'rounds')).toMatchObject([{ asked_by: its }])
    expect(await read('share')).toMatchObject([
      { made_by: its },
      { made_by: { key_name: 'Test', author_kind: 'script' } },
    ])
    expect(await does('POST', '/trash', as)).toMatchObject({ deleted_by: { ...its, mine: true } })
    const trash = async (at = '') =>
      (await galley.call('GET', `/api/trash${at}`, { as: galley.as.session })).data
    expect(await trash()).toMatchObject([{ deleted_by: its }])
    expect(await trash(`/${document.id}`)).toMatchObject({ deleted_by: its })
  })

  it('a guest who is called otherwise now is so there, too', async () => {
    const as = { token: await galley.newToken(document.id, 'comment'), guest: 'b'.repeat(32) }
    const own = await galley.newComment(document.id, as, { author_name: 'Adda' })
    await does('PATCH', `/comments/${own.id}`, as, { resolved: true })
    const [guest] = (await read('guests')) as { id: string }[]
    await does('PATCH', `/guests/${guest!.id}`, galley.as.session, { name: 'Ada' })
    expect(await read('comments')).toMatchObject([{ resolved_by: { author_name: 'Ada' } }])
  })
})
