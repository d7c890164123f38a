import { describe, expect, it } from 'vitest'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { cookieOf, unknownId, type TestCredentials } from '../../testing/galley.ts'
import {
  as,
  at,
  change,
  galley,
  id,
  list,
  post,
  resolve,
  suggest,
  text,
  useSuggestions,
} from '../../testing/suggestions.ts'

useSuggestions()

describe('creating', () => {
  it('answers the whole suggestion and where it would apply', async () => {
    const { status, data } = await post({ original_text: 'two', suggested_text: '2', note: ' shorter ' })
    expect(status).toBe(201)
    expect(data).toEqual({
      id: expect.any(String),
      document_id: id,
      author_id: galley.user.id,
      author_colour: expect.any(Number),
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
      edited_at: null,
      resolved_at: null,
    })
    expect(await text()).toBe('one two one two one')
  })

  it('says what stands around it by now, where its anchor doesn’t any more, and nothing once it stands nowhere', async () => {
    await change('teh quick proof is read')
    const anchor = { exact: 'quick', start: 4, prefix: 'teh ', suffix: ' proof' }
    expect((await post({ original_text: 'quick', suggested_text: 'slow', anchor })).data).not.toHaveProperty(
      'around',
    )
    await change('And the quick proof is read twice')
    expect((await list())[0]).toMatchObject({
      anchor,
      range: { start: 8, end: 13 },
      around: { before: 'And the ', behind: ' proof is read twice' },
    })
    await change('And it is read twice')
    expect((await list())[0]).toMatchObject({ anchor, range: null })
    expect((await list())[0]).not.toHaveProperty('around')
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

describe('withdrawing', () => {
  it('takes only what was seen, for whoever says what that was', async () => {
    const one = await suggest('two', 'deux')
    const withdraw = (seen: string) =>
      galley.call('DELETE', `${at}/${one.id}?edited_at=${encodeURIComponent(seen)}`, { as })
    const changed = await galley.call('PATCH', `${at}/${one.id}`, { as, json: { suggested_text: 'zwei' } })
    const { edited_at } = changed.data as Suggestion
    expect([(await withdraw('never')).code, (await list()).length]).toEqual(['CHANGED_SINCE', 1])
    expect((await withdraw(edited_at!)).data).toEqual({ deleted: true })
    const other = await suggest('two', 'deux')
    const now = () => galley.call('DELETE', `${at}/${other.id}?edited_at=never`, { as })
    expect((await now()).data).toEqual({ deleted: true })
  })

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

it('keeps what is put in at one place in its order, whichever is accepted first, also one by one', async () => {
  const base = 'So they say.\n\nLast.'
  await change(base)
  const anchor = { exact: '', prefix: 'So they say.', suffix: '\n\nLast.', start: 12 }
  const made = [
    await suggest('', ' Or not.', { anchor }),
    await suggest('', '\n\nA paragraph.', { anchor }),
    await suggest('', '\n\nAnother.', { anchor }),
  ]
  for (const turns of [
    [0, 1, 2],
    [1, 0, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    for (const i of turns) expect((await resolve(made[i]!, 'accept')).status).toBe(200)
    expect(await text()).toBe('So they say. Or not.\n\nA paragraph.\n\nAnother.\n\nLast.')
    for (const i of turns.toReversed()) expect((await resolve(made[i]!, 'reopen')).status).toBe(200)
    expect(await text()).toBe(base)
  }
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
