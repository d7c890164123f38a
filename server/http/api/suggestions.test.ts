import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import type { VersionSummary } from '../../contract/records/versions.ts'
import {
  cookieOf,
  createTestGalley,
  unknownId,
  type TestCredentials,
  type TestGalley,
} from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
let id: string
let at: string
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
  id = (await galley.newDocument({ content: 'one two one two one' })).id
  at = `/api/documents/${id}/suggestions`
})
afterEach(() => galley.close())

const post = (json: unknown, by: TestCredentials = as) => galley.call('POST', at, { as: by, json })
const suggest = async (
  original_text: string,
  suggested_text: string,
  more: object = {},
  by: TestCredentials = as,
) => (await post({ original_text, suggested_text, ...more }, by)).data as Suggestion
const resolve = (one: { id: string }, how: 'accept' | 'reject', by: TestCredentials = as) =>
  galley.call('POST', `${at}/${one.id}/${how}`, { as: by })
const list = async (query = '', by: TestCredentials = as) =>
  (await galley.call('GET', at + query, { as: by })).data as Suggestion[]
const text = async () => (await galley.call('GET', `/api/documents/${id}`, { as })).data.content as string
const change = (content: string) => galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } })

it('leaves a version when it is accepted, though it changes nothing', async () => {
  await resolve(await suggest('two', 'two'), 'accept')
  const { data } = await galley.call('GET', `/api/documents/${id}/versions`, { as })
  expect((data as VersionSummary[]).map(({ kind, revision }) => [kind, revision])).toEqual([
    ['suggestion', 2],
    ['create', 1],
  ])
  for (const revision of [1, 2])
    expect((await galley.call('GET', `/api/documents/${id}/versions/${revision}`, { as })).data.content).toBe(
      await text(),
    )
})

describe('a document that is as large as it may be', () => {
  const full = `one ${'x'.repeat(limits.contentBytes - 4)}`
  it('takes no suggestion, alone or among others, that would make it larger; it stays to be decided', async () => {
    await change(full)
    const longer = await suggest('one', 'öne')
    const other = await suggest('x', 'y')
    const bulk = (ids: string[]) =>
      galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept', ids } })
    for (const answer of [await resolve(longer, 'accept'), await bulk([other.id, longer.id])]) {
      expect([answer.status, answer.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
      expect(answer.message).toContain('10 MiB')
    }
    expect((await list('?status=pending')).map((one) => one.id)).toEqual([longer.id, other.id])
    expect(await text()).toBe(full)

    const shorter = await suggest('x', '')
    expect((await bulk([longer.id, shorter.id])).status).toBe(200)
    expect(Buffer.byteLength(await text())).toBe(limits.contentBytes)
    expect((await resolve(other, 'accept')).status).toBe(200)
  })
})

describe('creating', () => {
  it('answers the whole suggestion and where it would apply', async () => {
    const { status, data } = await post({ original_text: 'two', suggested_text: '2', note: ' shorter ' })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(String),
      document_id: id,
      author_id: galley.user.id,
      author_name: galley.user.name,
      key_name: 'Test',
      author_kind: 'script',
      original_text: 'two',
      suggested_text: '2',
      accepted_text: null,
      anchor: null,
      range: { start: 4, end: 7 },
      note: 'shorter',
      mine: true,
      status: 'pending',
      created_at: '2026-03-01T09:30:00.000Z',
      resolved_at: null,
    })
    expect(await text()).toBe('one two one two one')
  })

  it.each([
    {},
    { original_text: 'one' },
    { suggested_text: 'x' },
    { original_text: '', suggested_text: 'x' },
    { original_text: 5, suggested_text: 'x' },
    { original_text: 'one', suggested_text: null },
    { original_text: 'one', suggested_text: ['x'] },
    { original_text: 'one', suggested_text: 'x', note: 5 },
    { original_text: 'one', suggested_text: 'x', note: 'n'.repeat(2_001) },
    { original_text: 'one', suggested_text: 'x', anchor: { exact: 1, start: 0 } },
    { original_text: 'one', suggested_text: 'x', author_name: '' },
  ])('refuses %j', async (json) => {
    expect((await post(json)).code).toBe('VALIDATION_ERROR')
    expect(await list()).toEqual([])
  })

  it('takes text that isn’t there, with no range, and applies it once it is', async () => {
    const lost = await suggest('three', 'THREE')
    expect(lost.range).toBeNull()
    expect((await resolve(lost, 'accept')).code).toBe('TEXT_NOT_FOUND')
    expect((await list())[0]!.status).toBe('pending')
    await change('three')
    expect((await list())[0]!.range).toEqual({ start: 0, end: 5 })
    expect((await resolve(lost, 'accept')).status).toBe(200)
    expect(await text()).toBe('THREE')
  })

  it('needs an edit link; listing needs a comment link', async () => {
    const by = async (permission: 'view' | 'comment' | 'edit') => ({
      token: await galley.newToken(id, permission),
    })
    const json = { original_text: 'one', suggested_text: '1' }
    const answers = []
    for (const permission of ['view', 'comment', 'edit'] as const) {
      const credentials = await by(permission)
      const created = await post(json, credentials)
      const listed = await galley.call('GET', at, { as: credentials })
      answers.push([permission, created.status, listed.status])
    }
    expect(answers).toEqual([
      ['view', 403, 403],
      ['comment', 403, 200],
      ['edit', 201, 200],
    ])
    expect((await list())[0]).toMatchObject({ author_id: null, author_name: 'Guest', mine: false })
  })
})

describe('listing', () => {
  it('filters by status, and by nothing else', async () => {
    const [pending, accepted, rejected] = [
      await suggest('one', '1'),
      await suggest('two', '2'),
      await suggest('x', 'y'),
    ]
    await resolve(accepted, 'accept')
    await resolve(rejected, 'reject')
    const ids = async (query: string) => (await list(query)).map((one) => one.id)
    expect(await ids('')).toEqual([pending.id, accepted.id, rejected.id])
    expect(await ids('?status=pending')).toEqual([pending.id])
    expect(await ids('?status=accepted')).toEqual([accepted.id])
    expect(await ids('?status=rejected')).toEqual([rejected.id])
    for (const query of ['?status=', '?status=Pending', '?status=all', '?status=pending&status=accepted'])
      expect((await galley.call('GET', at + query, { as })).code).toBe('VALIDATION_ERROR')
  })
})

describe('accepting', () => {
  it('replaces the first occurrence, or the one the anchor points to, and leaves a version', async () => {
    await resolve(await suggest('one', '1'), 'accept')
    expect(await text()).toBe('1 two one two one')
    const start = 14
    const anchored = await suggest('one', 'ONE', {
      anchor: { exact: 'one', prefix: 'two ', suffix: '', start },
    })
    expect(anchored.range).toEqual({ start, end: start + 3 })
    const { data } = await resolve(anchored, 'accept')
    expect(data).toMatchObject({ id: anchored.id, status: 'accepted', range: null })
    expect(data.resolved_at).not.toBeNull()
    expect(await text()).toBe('1 two one two ONE')
    const versions = await galley.call('GET', `/api/documents/${id}/versions`, { as })
    expect(versions.data.map((one: { kind: string }) => one.kind)).toEqual([
      'suggestion',
      'suggestion',
      'create',
    ])
    const before = await galley.call('GET', `/api/documents/${id}/versions/1`, { as })
    expect(before.data.content).toBe('one two one two one')
  })

  it.each(['$&', '$1', "$'", '$`', '$$', '\\1', '\\n', '', 'one', 'one one', '\0', '😀'])(
    'takes %j literally',
    async (words) => {
      await resolve(await suggest('one', words), 'accept')
      expect(await text()).toBe(`${words} two one two one`)
    },
  )

  it('takes what it replaces literally too', async () => {
    await change('a.b (x) [y] $& ^')
    for (const [original, suggested] of [
      ['(x)', '1'],
      ['[y]', '2'],
      ['$&', '3'],
      ['a.b', '4'],
      ['^', '5'],
    ])
      expect((await resolve(await suggest(original!, suggested!), 'accept')).status).toBe(200)
    expect(await text()).toBe('4 1 2 3 5')
    expect((await resolve(await suggest('4.', 'x'), 'accept')).code).toBe('TEXT_NOT_FOUND')
  })

  it('only ever replaces text that equals the original', async () => {
    const late = await suggest('one two', 'x', {
      anchor: { exact: 'one two', prefix: '', suffix: '', start: 0 },
    })
    await change('one twa, one twi')
    expect((await list())[0]!.range).toBeNull()
    expect((await resolve(late, 'accept')).code).toBe('TEXT_NOT_FOUND')
    expect(await text()).toBe('one twa, one twi')
  })

  it('is ALREADY_RESOLVED the second time, whichever way, and changes nothing then', async () => {
    const accepted = await suggest('one', '1')
    const rejected = await suggest('two', '2')
    await resolve(accepted, 'accept')
    expect((await resolve(rejected, 'reject')).data.status).toBe('rejected')
    const before = await text()
    for (const one of [accepted, rejected])
      for (const how of ['accept', 'reject'] as const)
        expect((await resolve(one, how)).code).toBe('ALREADY_RESOLVED')
    expect(await text()).toBe(before)
  })

  it('comes through a body or a type that says nothing', async () => {
    const body = { body: '', headers: { 'content-type': 'text/plain;charset=UTF-8' } }
    const one = await suggest('one', '1')
    expect((await galley.call('POST', `${at}/${one.id}/accept`, { as, ...body })).status).toBe(200)
    const two = await suggest('two', '2')
    expect((await galley.call('POST', `${at}/${two.id}/accept`, { as, json: {} })).status).toBe(200)
  })

  it('is 403 for another user and for every link, and 404 for what isn’t there', async () => {
    const one = await suggest('one', '1')
    const others: TestCredentials[] = [galley.as.stranger, { session: galley.newSession(galley.other.id) }]
    for (const permission of ['view', 'comment', 'edit'] as const)
      others.push(
        { token: await galley.newToken(id, permission) },
        { ...as, token: await galley.newToken(id, permission) },
      )
    for (const by of others)
      for (const how of ['accept', 'reject'] as const) {
        expect((await resolve(one, how, by)).code).toBe('FORBIDDEN')
        expect((await resolve({ id: unknownId }, how, by)).code).toBe('NOT_FOUND')
      }
    expect((await list('', as))[0]!.status).toBe('pending')
    const elsewhere = await galley.newDocument()
    const there = await galley.newSuggestion(elsewhere.id)
    expect((await resolve(there, 'accept')).code).toBe('NOT_FOUND')
  })
})

describe('resolving many', () => {
  const bulk = (json: unknown, by: TestCredentials = as) =>
    galley.call('POST', `${at}/resolve`, { as: by, json })

  it('accepts all that are pending, oldest first, and says of each what it became', async () => {
    const first = await suggest('one', '1')
    const second = await suggest('two', '2')
    const lost = await suggest('three', '3')
    const again = await suggest('one', 'uno')
    const done = await suggest('two', 'x')
    await resolve(done, 'reject')
    const { data } = await bulk({ action: 'accept' })
    expect(data).toEqual([
      { id: first.id, status: 'accepted', error: null },
      { id: second.id, status: 'accepted', error: null },
      { id: lost.id, status: 'pending', error: 'TEXT_NOT_FOUND' },
      { id: again.id, status: 'accepted', error: null },
    ])
    expect(await text()).toBe('1 2 uno two one')
    const versions = (await galley.call('GET', `/api/documents/${id}/versions`, { as })).data
    expect(versions.map((version: { kind: string }) => version.kind)).toEqual(['suggestion', 'create'])
    expect((await bulk({ action: 'reject' })).data).toEqual([
      { id: lost.id, status: 'rejected', error: null },
    ])
    expect((await bulk({ action: 'accept' })).data).toEqual([])
  })

  it('touches only those named', async () => {
    const [first, second] = [await suggest('one', '1'), await suggest('two', '2')]
    const { data } = await bulk({ action: 'reject', ids: [second.id, unknownId, second.id] })
    expect(data).toEqual([
      { id: second.id, status: 'rejected', error: null },
      { id: unknownId, status: null, error: 'NOT_FOUND' },
    ])
    expect((await bulk({ action: 'accept', ids: [second.id] })).data).toEqual([
      { id: second.id, status: 'rejected', error: 'ALREADY_RESOLVED' },
    ])
    expect((await bulk({ action: 'accept', ids: [] })).data).toEqual([])
    expect((await list('?status=pending')).map((one) => one.id)).toEqual([first.id])
  })

  it('is refused where it is malformed, and to everyone but the owner', async () => {
    await suggest('one', '1')
    for (const json of [
      {},
      { action: 'withdraw' },
      { action: 'accept', ids: 'all' },
      { action: 'accept', ids: [1] },
    ])
      expect((await bulk(json)).code).toBe('VALIDATION_ERROR')
    expect((await bulk({ action: 'accept' }, { token: await galley.newToken(id, 'edit') })).code).toBe(
      'FORBIDDEN',
    )
    expect((await bulk({ action: 'accept' }, galley.as.stranger)).code).toBe('NOT_FOUND')
    expect((await bulk({ action: 'accept' }, galley.as.reader)).code).toBe('FORBIDDEN')
    expect(await text()).toBe('one two one two one')
  })
})

describe('withdrawing', () => {
  const withdraw = (one: Suggestion, by: TestCredentials = as) =>
    galley.call('DELETE', `${at}/${one.id}`, { as: by })

  it('is its author’s, while it is pending', async () => {
    const token = await galley.newToken(id, 'edit')
    const made = await post({ original_text: 'one', suggested_text: '1' }, { token })
    const guest = { token, guest: cookieOf(made, 'galley_guest')! }
    for (const by of [as, { token }, { ...as, token }, { token, guest: '0'.repeat(32) }])
      expect((await withdraw(made.data, by)).code).toBe('FORBIDDEN')
    expect((await withdraw(made.data, galley.as.stranger)).code).toBe('NOT_FOUND')
    expect((await withdraw(made.data, guest)).data).toEqual({ deleted: true })
    expect((await withdraw(made.data, guest)).code).toBe('NOT_FOUND')
    const resolved = await suggest('one', '1')
    await resolve(resolved, 'accept')
    expect((await withdraw(resolved)).code).toBe('ALREADY_RESOLVED')
  })
})

it('shows where it stands once it is decided, to those who ask for it and may see suggestions', async () => {
  await change('A proof is read. It comes back in a week.')
  const anchored = (exact: string) => ({
    anchor: {
      exact,
      prefix: '',
      suffix: '',
      start: 'A proof is read. It comes back in a week.'.indexOf(exact),
    },
  })
  const taken = await suggest('in a week', 'within a week', anchored('in a week'))
  const left = await suggest('read', 'marked', anchored('read'))
  await resolve(taken, 'accept')
  await resolve(left, 'reject')
  const marks = async (decided: string, by: TestCredentials = as) =>
    (await galley.call('GET', `/api/documents/${id}/marks?decided=${decided}`, { as: by })).data.marks as {
      id: string
      from: { char: number }
    }[]
  expect(await marks('')).toEqual([])
  const shown = await marks(`${taken.id},${left.id},${unknownId}`)
  expect(shown.map((mark) => [mark.id, mark.from.char])).toEqual([
    [taken.id, 'Aproofisread.Itcomesback'.length],
    [left.id, 'Aproofis'.length],
  ])
  const token = await galley.newToken(id, 'view')
  const seen = await galley.call('GET', `/api/documents/${id}/marks?decided=${taken.id}&share_token=${token}`)
  expect(seen.data.marks).toEqual([])
})

describe('putting something in', () => {
  const here = { anchor: { exact: '', prefix: 'one two ', suffix: 'one two', start: 8 } }

  it('is suggested at a place, which moves with the text, and is accepted and taken back there', async () => {
    const made = await suggest('', 'and ', here)
    expect(made).toMatchObject({ original_text: '', range: { start: 8, end: 8 }, anchor: { exact: '' } })
    const { marks } = (await galley.call('GET', `/api/documents/${id}/marks`, { as })).data
    expect(marks).toMatchObject([{ id: made.id, from: { char: 3 }, to: { char: 6 } }])
    await change('zero one two one two one')
    expect(await list()).toMatchObject([{ range: { start: 13, end: 13 } }])
    expect((await resolve(made, 'accept')).status).toBe(200)
    expect(await text()).toBe('zero one two and one two one')
    await galley.call('POST', `${at}/${made.id}/reopen`, { as })
    expect(await text()).toBe('zero one two one two one')
    expect(await list()).toMatchObject([{ status: 'pending', range: { start: 13, end: 13 } }])
  })

  it('is found by what stands around it, also from an older revision, and nowhere else', async () => {
    await change('zero one two one two one')
    expect((await suggest('', 'and ', here)).range).toEqual({ start: 13, end: 13 })
    const older = { anchor: { ...here.anchor, prefix: '', suffix: '', revision: 1 } }
    expect((await suggest('', 'and ', older)).range).toEqual({ start: 13, end: 13 })
    const nowhere = await suggest('', 'and ', { anchor: { ...here.anchor, prefix: 'six', start: 3 } })
    expect(nowhere.range).toBeNull()
    expect((await resolve(nowhere, 'accept')).code).toBe('TEXT_NOT_FOUND')
    await change('zero')
    expect((await list()).map(({ range }) => range)).toEqual([null, null, null])
    // Between the halves of a character nothing can be put in.
    await change('😀')
    const split = { anchor: { exact: '', prefix: '', suffix: '', start: 1 } }
    expect((await suggest('', 'x', split)).range).toBeNull()
  })

  it('several times at one place, and before words that are replaced, keeps the order', async () => {
    const before = { anchor: { exact: '', prefix: '', suffix: '', start: 4 } }
    await suggest('two', '2', { anchor: { exact: 'two', start: 4 } })
    await suggest('', 'a ', before)
    await suggest('', 'b ', before)
    const ids = (await list()).map((one) => one.id)
    await galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept' } })
    expect(await text()).toBe('one a b 2 one two one')
    await galley.call('POST', `${at}/resolve`, { as, json: { action: 'reopen', ids } })
    expect(await text()).toBe('one two one two one')
  })

  it.each([
    ['without an anchor', { original_text: '', suggested_text: 'x' }, /“anchor” whose “exact” is empty/],
    [
      'at words',
      { original_text: '', suggested_text: 'x', anchor: { exact: 'one', start: 0 } },
      /“exact” is empty/,
    ],
    ['of nothing', { original_text: '', suggested_text: '', ...here }, /suggests nothing/],
    [
      'in the place of words',
      { original_text: 'one', suggested_text: 'x', ...here },
      /“original_text” isn’t/,
    ],
  ])('is refused %s', async (_how, json, message) => {
    const answer = await post(json)
    expect([answer.status, answer.code, answer.message]).toEqual([
      400,
      'VALIDATION_ERROR',
      expect.stringMatching(message),
    ])
  })
})

describe('changing one’s own', () => {
  const patch = (one: Suggestion, json: object, by: TestCredentials = as) =>
    galley.call('PATCH', `${at}/${one.id}`, { as: by, json })

  it('keeps its place, and whoever reads on is told', async () => {
    const made = await suggest('two', 'second', { anchor: { exact: 'two', start: 12 }, note: 'Why' })
    galley.clock.now += 60_000
    await change('zero one two one two one')
    galley.clock.now += 60_000
    const { data } = await patch(made, { suggested_text: 'other', note: null })
    expect(data).toMatchObject({ suggested_text: 'other', note: null, range: { start: 17, end: 20 } })
    expect(await list('?since=2')).toMatchObject([{ id: made.id }])
    expect(
      (await patch(made, { original_text: 'one', anchor: { exact: 'one', start: 5 } })).data,
    ).toMatchObject({
      original_text: 'one',
      suggested_text: 'other',
      range: { start: 5, end: 8 },
    })
    await resolve(made, 'accept')
    expect(await text()).toBe('zero other two one two one')
    expect(await patch(made, { note: 'Late' })).toMatchObject({ status: 400, code: 'ALREADY_RESOLVED' })
  })

  it('is its author’s, and has to leave it whole', async () => {
    const token = await galley.newToken(id, 'suggest')
    const made = await post({ original_text: 'one', suggested_text: '1' }, { token })
    const guest = { token, guest: cookieOf(made, 'galley_guest')! }
    for (const by of [as, { token }, { ...as, token }])
      expect((await patch(made.data, { note: 'x' }, by)).code).toBe('FORBIDDEN')
    expect((await patch(made.data, { note: 'Mine' }, guest)).data).toMatchObject({ note: 'Mine' })
    for (const json of [
      {},
      { original_text: '' },
      { anchor: { exact: '', start: 0 } },
      { suggested_text: 1 },
    ])
      expect((await patch(made.data, json, guest)).code).toBe('VALIDATION_ERROR')
    expect((await list())[0]).toMatchObject({ original_text: 'one', suggested_text: '1', anchor: null })
  })
})

describe('accepting in other words', () => {
  const accept = (json: object) =>
    galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept', ...json } })
  const one = async (made: Suggestion) => (await list()).find((other) => other.id === made.id)!

  it('puts those in, keeps what was suggested, and is taken back like any other', async () => {
    const made = await suggest('two', 'TWO')
    const { data } = await accept({ ids: [made.id], suggested_text: 'zwei $&' })
    expect(data).toEqual([{ id: made.id, status: 'accepted', error: null }])
    expect(await text()).toBe('one zwei $& one two one')
    expect(await one(made)).toMatchObject({ suggested_text: 'TWO', accepted_text: 'zwei $&' })
    const reopened = await galley.call('POST', `${at}/${made.id}/reopen`, { as })
    expect(reopened.data).toMatchObject({ status: 'pending', suggested_text: 'TWO', accepted_text: null })
    expect(await text()).toBe('one two one two one')
    await accept({ ids: [made.id], suggested_text: 'TWO' })
    expect((await one(made)).accepted_text).toBeNull()
  })

  it('is for one at a time', async () => {
    const [first, second] = [await suggest('one', '1'), await suggest('two', '2')]
    for (const wrong of [
      { suggested_text: 'x' },
      { suggested_text: 'x', ids: [] },
      { suggested_text: 'x', ids: [first.id, second.id] },
      { suggested_text: 'x', ids: [first.id], action: 'reject' },
    ])
      expect((await accept(wrong)).code).toBe('VALIDATION_ERROR')
    expect(await text()).toBe('one two one two one')
  })
})

describe('reopening', () => {
  const reopen = (one: Suggestion) => galley.call('POST', `${at}/${one.id}/reopen`, { as })
  const reopenAll = (ids: string[]) =>
    galley.call('POST', `${at}/resolve`, { as, json: { action: 'reopen', ids } })
  const happened = () =>
    (galley.store.db.prepare('SELECT kind FROM events ORDER BY seq').pluck().all() as string[]).slice(count)
  let count = 0
  const from = () => {
    count = 0
    count = happened().length
  }
  const secondTwo = { anchor: { exact: 'two', prefix: '', suffix: '', start: 12 } }

  it('of one that was accepted takes back just what it did, whatever was written elsewhere since', async () => {
    const made = await suggest('two', 'second', secondTwo)
    await resolve(made, 'accept')
    await change('zero one two one second one')
    from()
    const { status, data } = await reopen(made)
    expect([status, data]).toMatchObject([
      200,
      { status: 'pending', resolved_at: null, revision: 4, range: { start: 17, end: 20 } },
    ])
    expect(await text()).toBe('zero one two one two one')
    expect(happened()).toEqual(['document.changed', 'suggestion.reopened'])
    const versions = await galley.call('GET', `/api/documents/${id}/versions`, { as })
    expect(versions.data).toMatchObject([
      { kind: 'reopening', revision: 4, suggested_by: [] },
      { kind: 'edit' },
      { kind: 'suggestion' },
      { kind: 'create' },
    ])
    expect((await resolve(made, 'accept')).data).toMatchObject({ status: 'accepted', revision: 5 })
    expect(await text()).toBe('zero one two one second one')
  })

  it('of one whose words were changed since is refused, and it stays accepted', async () => {
    const made = await suggest('two', 'second', secondTwo)
    await resolve(made, 'accept')
    await change('one two one seconds, one')
    await change('one two one secs, one')
    expect(await reopen(made)).toMatchObject({ status: 409, code: 'TEXT_NOT_FOUND' })
    expect((await reopenAll([made.id])).data).toEqual([
      { id: made.id, status: 'accepted', error: 'TEXT_NOT_FOUND' },
    ])
    expect(await text()).toBe('one two one secs, one')
  })

  it('of one that was rejected leaves the text, and it stands where its words stand now', async () => {
    const made = await suggest('two', 'second', secondTwo)
    await resolve(made, 'reject')
    await change('zero one two one two one')
    const { data } = await reopen(made)
    expect(data).toMatchObject({ status: 'pending', revision: 2, range: { start: 17, end: 20 } })
  })

  it('tells a page that comes back', async () => {
    const made = await suggest('two', 'second', secondTwo)
    await resolve(made, 'reject')
    galley.clock.now += 60_000
    await change('zero one two one two one')
    galley.clock.now += 60_000
    await reopen(made)
    const { data } = await galley.call('GET', `${at}?since=2`, { as })
    expect(data).toMatchObject([{ id: made.id, status: 'pending' }])
  })

  it('of one that is pending leaves all as it is', async () => {
    const made = await suggest('two', 'second', secondTwo)
    from()
    expect((await reopen(made)).data).toMatchObject({ status: 'pending', revision: 1 })
    expect(happened()).toEqual([])
  })

  it('of many is one change, and says of each what became of it', async () => {
    const gone = await suggest('one ', '', { anchor: { exact: 'one ', prefix: '', suffix: '', start: 0 } })
    const first = await suggest('two', '2')
    const last = await suggest('two', 'II', secondTwo)
    const left = await suggest('one', 'I')
    await galley.call('POST', `${at}/resolve`, {
      as,
      json: { action: 'accept', ids: [gone.id, first.id, last.id] },
    })
    expect(await text()).toBe('2 one II one')
    await resolve(left, 'reject')
    from()
    const ids = [left.id, last.id, first.id, gone.id, unknownId]
    expect((await reopenAll(ids)).data).toEqual([
      ...ids.slice(0, 4).map((id) => ({ id, status: 'pending', error: null })),
      { id: unknownId, status: null, error: 'NOT_FOUND' },
    ])
    expect(await text()).toBe('one two one two one')
    expect(happened()).toEqual([
      'document.changed',
      ...Array.from({ length: 4 }, () => 'suggestion.reopened'),
    ])
    expect((await galley.call('GET', `/api/documents/${id}`, { as })).data.revision).toBe(3)
  })

  it('of all that were accepted together gives the text back, though they stood side by side or overlapped', async () => {
    for (const [words, becomes] of [
      ['one ', ''],
      ['two ', ''],
      ['one two', 'I two'],
      ['two one', 'II one'],
    ])
      await suggest(words!, becomes!)
    const ids = (await list()).map((one) => one.id)
    await galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept' } })
    expect(await text()).toBe('I II one')
    expect((await reopenAll(ids)).data).toEqual(ids.map((id) => ({ id, status: 'pending', error: null })))
    expect(await text()).toBe('one two one two one')
  })

  it('of what is left of those that were accepted together brings back nothing twice', async () => {
    await change('Ship it on Monday please. Thanks, Bob')
    for (const [words, becomes] of [
      ['Monday', 'Monday or Tuesday'],
      ['or Tuesday', 'and Friday'],
      ['Thanks, Bob', ''],
    ])
      await suggest(words!, becomes!)
    const ids = (await list()).map((one) => one.id)
    await galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept' } })
    expect(await text()).toBe('Ship it on Monday and Friday please. ')
    await reopenAll([ids[2]!])
    await reopenAll(ids)
    expect(await text()).toBe('Ship it on Monday or Tuesday please. Thanks, Bob')
    expect((await list()).map(({ status }) => status)).toEqual(['accepted', 'pending', 'pending'])
  })

  it('takes no letter of what somebody wrote in the place of accepted words that they deleted', async () => {
    await change('one b three')
    const made = await suggest('b', 'a', { anchor: { exact: 'b', start: 4 } })
    await resolve(made, 'accept')
    for (const next of ['one  three', 'one a three', 'one ap three', 'one apple three']) await change(next)
    expect((await reopen(made)).code).toBe('TEXT_NOT_FOUND')
    expect(await text()).toBe('one apple three')
  })

  it('of many has to name them', async () => {
    const { code, message } = await galley.call('POST', `${at}/resolve`, { as, json: { action: 'reopen' } })
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('ids')])
  })

  it('finds the words again of one that an older Galley rejected, and leaves one that it accepted', async () => {
    const rejected = await suggest('two', 'second', secondTwo)
    const accepted = await suggest('one', 'I')
    await resolve(rejected, 'reject')
    await resolve(accepted, 'accept')
    galley.store.db.exec(
      'UPDATE suggestions SET decided_revision = NULL, applied_start = NULL, applied_end = NULL',
    )
    expect((await reopen(rejected)).data).toMatchObject({ status: 'pending' })
    expect(await reopen(accepted)).toMatchObject({ code: 'TEXT_NOT_FOUND' })
  })
})
