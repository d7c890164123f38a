import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { Comment } from '../../contract/records/comments.ts'
import type { EventRecord } from '../../contract/records/events.ts'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import {
  cookieOf,
  createTestGalley,
  unknownId,
  type TestCredentials,
  type TestGalley,
} from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
let document: string
let suggestion: Suggestion
let at: string
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
  document = `/api/documents/${(await galley.newDocument({ content: 'It goes out and out.' })).id}`
  suggestion = await suggest()
  at = `${document}/suggestions/${suggestion.id}/replies`
})
afterEach(() => galley.close())

const suggest = async (by: TestCredentials = as) => {
  const json = { original_text: 'out', suggested_text: 'forth' }
  return (await galley.call('POST', `${document}/suggestions`, { as: by, json })).data as Suggestion
}
const link = async (permission: 'view' | 'comment' | 'suggest' | 'edit') => ({
  token: await galley.newToken(suggestion.document_id, permission),
})
const post = (json: unknown, by: TestCredentials = as) => galley.call('POST', at, { as: by, json })
const list = async (query = '', by: TestCredentials = as) =>
  (await galley.call('GET', at + query, { as: by })).data as Comment[]
const comments = async (query = '') =>
  (await galley.call('GET', `${document}/comments${query}`, { as })).data as Comment[]
const suggestions = async (query = '', by: TestCredentials = as) =>
  (await galley.call('GET', `${document}/suggestions${query}`, { as: by })).data as Suggestion[]
const edit = (reply: Comment, json: unknown, by: TestCredentials = as) =>
  galley.call('PATCH', `${document}/comments/${reply.id}`, { as: by, json })
const remove = (reply: Comment, by: TestCredentials = as) =>
  galley.call('DELETE', `${document}/comments/${reply.id}`, { as: by })
const decide = (how: 'accept' | 'reject' | 'reopen') =>
  galley.call('POST', `${document}/suggestions/${suggestion.id}/${how}`, { as })

describe('a reply to a suggestion', () => {
  it('is a comment that names it, and stands in no list of comments', async () => {
    const { status, data } = await post({ body: '  Reads better.\n', anchor: { exact: 'out', start: 8 } })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(String),
      document_id: suggestion.document_id,
      parent_id: null,
      suggestion_id: suggestion.id,
      author_id: galley.user.id,
      author_colour: expect.any(Number),
      author_name: galley.user.name,
      key_name: 'Test',
      author_kind: 'script',
      body: 'Reads better.',
      anchor: null,
      range: null,
      mine: true,
      resolved_at: null,
      created_at: '2026-03-01T09:30:00.000Z',
      updated_at: '2026-03-01T09:30:00.000Z',
      edited_at: null,
    })
    expect(await list()).toEqual([data])
    for (const query of ['', '?resolved=false', '?detached=false', '?since=2026-01-01T00:00:00Z', '?limit=9'])
      expect(await comments(query)).toEqual([])
  })

  it('is made by whoever may comment, and read by whoever sees suggestions', async () => {
    for (const permission of ['comment', 'suggest', 'edit'] as const) {
      const by = await link(permission)
      expect((await post({ body: permission, author_name: 'Ada' }, by)).status).toBe(201)
      expect((await list('', by)).at(-1)).toMatchObject({ body: permission, author_name: 'Ada', mine: false })
    }
    expect((await post({ body: 'x' }, await link('view'))).code).toBe('FORBIDDEN')
    expect((await galley.call('GET', at, { as: await link('view') })).code).toBe('FORBIDDEN')
    expect((await post({ body: 'x' }, galley.as.reader)).code).toBe('FORBIDDEN')
    expect((await post({ body: 'x' }, galley.as.stranger)).code).toBe('NOT_FOUND')
    expect(await list('', galley.as.reader)).toHaveLength(3)
  })

  it.each([{}, { body: '' }, { body: ' \n' }, { body: 5 }, { body: 'x'.repeat(10_001) }, { text: 'x' }])(
    'is refused where it is %j',
    async (json) => {
      expect((await post(json)).code).toBe('VALIDATION_ERROR')
      expect(await list()).toEqual([])
    },
  )

  it('is of a suggestion of that document', async () => {
    const other = await galley.newSuggestion((await galley.newDocument()).id)
    for (const id of [unknownId, other.id, 'no-uuid'])
      for (const method of ['GET', 'POST'] as const)
        expect(
          (
            await galley.call(method, `${document}/suggestions/${id}/replies`, {
              as,
              ...(method === 'POST' ? { json: { body: 'x' } } : {}),
            })
          ).code,
        ).toBe('NOT_FOUND')
  })

  it('is changed by its author alone, and deleted by them or the owner', async () => {
    const guest = await link('comment')
    const made = await post({ body: 'Why?' }, guest)
    const cookie = cookieOf(made, 'galley_guest')!
    const theirs = made.data as Comment
    const ours = (await post({ body: 'Because' })).data as Comment
    galley.clock.now += 1_000
    expect((await edit(theirs, { body: 'Mine now' })).code).toBe('FORBIDDEN')
    expect((await edit(ours, { body: 'Mine now' }, { ...guest, guest: cookie })).code).toBe('FORBIDDEN')
    expect((await remove(ours, { ...guest, guest: cookie })).code).toBe('FORBIDDEN')
    const edited = await edit(theirs, { body: 'Why so?' }, { ...guest, guest: cookie })
    expect(edited.data).toMatchObject({ body: 'Why so?', suggestion_id: suggestion.id, mine: true })
    expect((await remove(theirs)).data).toEqual({ deleted: true })
    expect(await list()).toMatchObject([{ body: 'Because' }])
  })

  it('can’t be resolved, nor be answered as a comment', async () => {
    const reply = (await post({ body: 'x' })).data as Comment
    expect((await edit(reply, { resolved: true })).code).toBe('VALIDATION_ERROR')
    expect((await edit(reply, { body: 'y', resolved: true })).code).toBe('VALIDATION_ERROR')
    const json = { body: 'y', parent_id: reply.id }
    expect((await galley.call('POST', `${document}/comments`, { as, json })).code).toBe('VALIDATION_ERROR')
    expect(await list()).toEqual([reply])
  })

  it('is made to a decided one, too', async () => {
    await decide('reject')
    expect((await post({ body: 'A pity' }, await link('comment'))).status).toBe(201)
    await decide('reopen')
    await decide('accept')
    await post({ body: 'Thanks' })
    expect((await list()).map(({ body }) => body)).toEqual(['A pity', 'Thanks'])
  })

  it('goes with its suggestion, when that is withdrawn', async () => {
    await post({ body: 'x' }, await link('comment'))
    const kept = await suggest()
    await galley.newReply(kept)
    await galley.call('DELETE', `${document}/suggestions/${suggestion.id}`, { as })
    expect(galley.store.db.prepare('SELECT suggestion_id FROM comments').pluck().all()).toEqual([kept.id])
  })

  it('comes back from the trash with its document, and goes for good with it', async () => {
    await post({ body: 'x' })
    await galley.call('POST', `${document}/trash`, { as })
    expect((await galley.call('GET', at, { as })).code).toBe('NOT_FOUND')
    await galley.call('POST', `/api/trash/${suggestion.document_id}/restore`, { as })
    expect(await list()).toHaveLength(1)
    await galley.call('DELETE', document, { as })
    expect(galley.store.db.prepare('SELECT count(*) FROM comments').pluck().get()).toBe(0)
  })
})

describe('the list of replies', () => {
  it('is whole or a part, the oldest first', async () => {
    for (const body of ['1', '2', '3']) {
      galley.clock.now += 1_000
      await post({ body })
    }
    const [first, second] = await list()
    const bodies = async (query: string) => (await list(query)).map(({ body }) => body)
    expect(await bodies('?limit=1&offset=1')).toEqual(['2'])
    expect(await bodies(`?since=${second!.created_at}`)).toEqual(['2', '3'])
    galley.clock.now += 1_000
    const since = new Date(galley.clock.now).toISOString()
    await edit(first!, { body: '1 again' })
    expect(await bodies(`?since=${since}`)).toEqual(['1 again'])
  })
})

describe('the list of suggestions', () => {
  it('has with each what it was answered, where that is asked for', async () => {
    const other = await suggest()
    const reply = (await post({ body: 'Why?' }, await link('comment'))).data as Comment
    for (const one of await suggestions()) expect(one).not.toHaveProperty('replies')
    expect(await suggestions('?replies=true')).toMatchObject([
      { id: suggestion.id, replies: [{ ...reply, mine: false }] },
      { id: other.id, replies: [] },
    ])
    expect(await suggestions('?replies=true', await link('comment'))).toMatchObject([
      { replies: [{ id: reply.id }] },
      {},
    ])
  })

  it('has with `since` those whose replies are others than then', async () => {
    await suggest()
    const step = () => new Date((galley.clock.now += 1_000)).toISOString()
    let since = step()
    expect(await suggestions(`?since=${since}`)).toEqual([])
    const reply = (await post({ body: 'x' })).data as Comment
    expect(await suggestions(`?since=${since}`)).toMatchObject([{ id: suggestion.id }])
    since = step()
    await edit(reply, { body: 'y' })
    expect(await suggestions(`?since=${since}`)).toMatchObject([{ id: suggestion.id }])
    since = step()
    await remove(reply)
    expect(await suggestions(`?since=${since}`)).toMatchObject([{ id: suggestion.id }])
    expect(await suggestions(`?since=${step()}`)).toEqual([])
  })
})

describe('what guests may leave with a document', () => {
  const fill = (reply: Comment) =>
    galley.store.db
      .prepare(
        `INSERT INTO comments (id, document, suggestion_id, author_key, author_name, created_at, updated_at, body)
         SELECT n.value, c.document, c.suggestion_id, c.author_key, c.author_name, c.created_at, c.updated_at, c.body
         FROM comments c, json_each(?) n WHERE c.id = ?`,
      )
      .run(JSON.stringify(Array.from({ length: limits.guestFeedback }, (_, n) => `r${n}`)), reply.id)

  it('counts replies, which the decision settles', async () => {
    const by = await link('comment')
    fill((await post({ body: 'x' }, by)).data as Comment)
    expect((await post({ body: 'y' }, by)).code).toBe('PAYLOAD_TOO_LARGE')
    expect((await post({ body: 'y' })).status).toBe(201)
    await decide('reject')
    expect((await post({ body: 'y' }, by)).status).toBe(201)
    await decide('reopen')
    expect((await post({ body: 'y' }, by)).code).toBe('PAYLOAD_TOO_LARGE')
  })
})

it('what happens to a reply is told as of a comment, with the suggestion that it answers', async () => {
  const by = await link('comment')
  const reply = (await post({ body: 'x', author_name: 'Ada' }, by)).data as Comment
  const own = (await post({ body: 'y' })).data as Comment
  await edit(own, { body: 'z' })
  await remove(reply)
  const told = (await galley.call('GET', '/api/events?kind=comment', { as })).data as EventRecord[]
  const about = { document_id: suggestion.document_id, suggestion_id: suggestion.id }
  expect(told).toMatchObject([
    { ...about, kind: 'comment.created', subject_id: reply.id, principal: { kind: 'guest', name: 'Ada' } },
    { ...about, kind: 'comment.created', subject_id: own.id },
    { ...about, kind: 'comment.changed', subject_id: own.id },
    { ...about, kind: 'comment.deleted', subject_id: reply.id },
  ])
  const [made] = (await galley.call('GET', '/api/events?kind=suggestion', { as })).data as EventRecord[]
  expect(made).toMatchObject({ subject_id: suggestion.id, suggestion_id: null })
})
