import { describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import type { VersionSummary } from '../../contract/records/versions.ts'
import { unknownId, type TestCredentials } from '../../testing/galley.ts'
import {
  as,
  at,
  change,
  galley,
  id,
  list,
  put,
  reopenAll,
  resolve,
  suggest,
  text,
  useSuggestions,
} from '../../testing/suggestions.ts'

useSuggestions()

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

describe('accepting where the words have become a part of larger ones', () => {
  const sentence = 'Only one here, and one there.'
  const anchored = (exact: string, at = sentence.indexOf(exact)) => ({ anchor: { exact, start: at } })
  const rangeNow = async () => (await list())[0]!.range

  it.each([
    ['before', 'Only someone here, and one there.'],
    ['behind', 'Only ones here, and one there.'],
    ['within', 'Only oune here, and one there.'],
  ])('is refused with letters %s, until the words are back', async (_where, grown) => {
    await change(sentence)
    const one = await suggest('one', 'two', anchored('one'))
    await change(grown)
    expect(await rangeNow()).toBeNull()
    expect(await resolve(one, 'accept')).toMatchObject({ status: 409, code: 'TEXT_NOT_FOUND' })
    expect(await text()).toBe(grown)
    const all = await galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept' } })
    expect(all.data).toMatchObject([{ status: 'pending', error: 'TEXT_NOT_FOUND' }])
    await change(sentence)
    expect(await rangeNow()).toEqual({ start: 5, end: 8 })
    expect((await resolve(one, 'accept')).status).toBe(200)
    expect(await text()).toBe('Only two here, and one there.')
  })

  it('is refused for a deletion too, and as they are typed live', async () => {
    await change(sentence)
    const one = await suggest('one', '', anchored('one'))
    const { revision } = (await galley.call('GET', `/api/documents/${id}`, { as })).data
    const changes = [5, [0, 'some'], sentence.length - 5]
    const json = { base: revision, client: 'a'.repeat(16), number: 1, changes }
    expect((await galley.call('POST', `/api/documents/${id}/changes`, { as, json })).status).toBe(200)
    expect(await text()).toBe('Only someone here, and one there.')
    expect((await resolve(one, 'accept')).status).toBe(409)
  })

  it('goes on where they were a part before, and where other signs come beside them', async () => {
    await change('Its colour, and its odour.')
    const part = await suggest('our', 'or', anchored('our', 7))
    const whole = await suggest('odour', 'smell', anchored('odour', 20))
    await change('It’s (colour), and its “odour”.')
    expect((await resolve(part, 'accept')).status).toBe(200)
    expect((await resolve(whole, 'accept')).status).toBe(200)
    expect(await text()).toBe('It’s (color), and its “smell”.')
  })

  it('goes on in what is put in beside them by itself', async () => {
    await change(sentence)
    const put = await suggest('', ' more', { anchor: { exact: '', start: 8 } })
    await change('Only ones here, and one there.')
    expect((await resolve(put, 'accept')).status).toBe(200)
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

describe('accepting what takes a paragraph out', () => {
  const words = 'This can go.'
  const whole = `# Proofs\n\nFirst of all.\n\n${words}\n\nThe last.\n`
  const start = whole.indexOf(words)

  it.each([
    ['a paragraph behind it', words, '\n\nNew.', start + words.length],
    ['one before it', words, 'New.\n\n', start],
    ['words behind it', words, ' More.', start + words.length],
    ['a heading before it and its blank line', `${words}\n\n`, '## Next\n\n', start],
    ['a paragraph behind a heading', '# Proofs\n\n', 'New.\n\n', 10],
  ])(
    'leaves %s, of somebody else, where it was, also once that is undone',
    async (_what, out, suggested, place) => {
      await change(whole)
      const gone = await suggest(out, '')
      const other = await put(whole, suggested, place)
      await resolve(gone, 'accept')
      const [now] = await list('?status=pending')
      const left = whole.indexOf(out)
      expect(now?.range).toEqual({ start: left, end: left })
      expect((await resolve(other, 'accept')).status).toBe(200)
      const without = whole.replace(out, '')
      expect(await text()).toBe(without.slice(0, left) + suggested + without.slice(left))
      await reopenAll([other.id])
      await reopenAll([gone.id])
      expect(await text()).toBe(whole)
      const back = await list('?status=pending')
      expect(back.find((one) => one.id === other.id)?.range).toEqual({ start: place, end: place })
    },
  )
})

describe('accepting what takes out the text on both sides of another’s place', () => {
  const list3 = 'Intro:\n\n- one\n- two\n- three\n\nLast.\n'

  it('keeps what comes back apart from the lines there, until they go', async () => {
    const whole = 'A.\n\nB.\n\nC.\n\nD.\n'
    await change(whole)
    const gone = await suggest('B.\n\nC.', '', {
      anchor: { exact: 'B.\n\nC.', prefix: '', suffix: '', start: 4 },
    })
    const other = await put(whole, '\n\nNew.', 6)
    for (const one of [gone, other]) await resolve(one, 'accept')
    await reopenAll([gone.id])
    expect(await text()).toBe('A.\n\nB.\n\nC.\n\nNew.\n\nD.\n')
    await reopenAll([other.id])
    expect(await text()).toBe(whole)
    const back = await list('?status=pending')
    expect(back.find((one) => one.id === other.id)).toMatchObject({ range: { start: 6, end: 6 } })
  })

  it.each([
    ['a heading at the beginning', '# Head\n\nOne.\n', '# Head\n\n', '# Head|', '\n\nNew.', 'New.\n\nOne.\n'],
    ['a heading', 'A.\n\n# Head\n\nOne.\n', '# Head\n\n', '# Head|', '\n\nNew.', 'A.\n\nNew.\n\nOne.\n'],
    ['the last paragraph', 'A.\n\nB.\n', '\n\nB.', '|B.', 'New.\n\n', 'A.\n\nNew.\n'],
    ['two paragraphs', 'A.\n\nB.\n\nC.\n\nD.', 'B.\n\nC.\n\n', 'B.|', '\n\nNew.', 'A.\n\nNew.\n\nD.'],
    ['two paragraphs’ words', 'A.\n\nB.\n\nC.\n\nD.', 'B.\n\nC.', '|C.', 'New.\n\n', 'A.\n\nNew.\n\nD.'],
    ['all', 'A.\n\nB.', 'A.\n\nB.', 'A.|', '\n\nNew.', 'New.'],
    ['parts of two', 'A one.\n\nB two.\n\nC.', 'one.\n\nB ', 'one.|', '\n\nNew.', 'A two.\n\nNew.\n\nC.'],
    ['items', list3, '\n- two\n- three', '- two|', '\n- new', 'Intro:\n\n- one\n- new\n\nLast.\n'],
    ['the first items', list3, '\n- one\n- two', '- one|', '\n- new', 'Intro:\n\n- new\n- three\n\nLast.\n'],
    ['a list', list3, '- one\n- two\n- three\n\n', '- one|', '\n- new', 'Intro:\n\n- new\n\nLast.\n'],
    ['a heading, an item', 'A.\n\n# Head\n\nB.\n', '# Head\n\n', '# Head|', '\n- new', 'A.\n\n- new\n\nB.\n'],
    [
      'a list, a paragraph',
      list3,
      '- one\n- two\n- three\n\n',
      '- one|',
      '\n\nNew.',
      'Intro:\n\nNew.\n\nLast.\n',
    ],
    [
      'a list, its blank line',
      list3,
      '\n\n- one\n- two\n- three',
      '- one|',
      '\n\nNew.',
      'Intro:\n\nNew.\n\nLast.\n',
    ],
    ['all before it', 'A.\n\n- one\n- two\n', '\n\n- one\n- two', '- two|', '\n\nNew.', 'A.\n\nNew.\n'],
    ['a line', 'one\ntwo\nthree', 'two\n', 'two|', '\nnew', 'one\nnew\nthree'],
    ['with its own line ends', 'A.\r\n\r\nB.\r\n', 'A.\r\n\r\n', 'A.|', '\r\n\r\nNew.', 'New.\r\n\r\nB.\r\n'],
  ])('leaves lines of their own there: %s', async (_what, whole, out, where, suggested, expected) => {
    await change(whole)
    const place = whole.indexOf(where.replace('|', '')) + where.indexOf('|')
    const start = whole.indexOf(out)
    const gone = await suggest(out, '', { anchor: { exact: out, prefix: '', suffix: '', start } })
    const other = await put(whole, suggested, place)
    await resolve(gone, 'accept')
    expect((await resolve(other, 'accept')).status).toBe(200)
    expect(await text()).toBe(expected)
    await reopenAll([other.id])
    await reopenAll([gone.id])
    expect(await text()).toBe(whole)
    // And, all taken back, it says what it said.
    await resolve(other, 'accept')
    expect(await text()).toBe(whole.slice(0, place) + suggested + whole.slice(place))
  })

  it.each([
    ['within a sentence', 'One two three. Four.', 'One two three. ', 4, 'and '],
    ['that split a sentence', 'One two three. Four.', 'One two three. ', 4, '\n\nNew. '],
    ['within a short heading', 'A one.\n\n## Head two\n\nB.', '## Head two\n\n', 15, 'er'],
    ['at its end, with the next', 'A one.\n\n# Two\n\nB.\n\nC.', '# Two\n\nB.\n\n', 13, ' more'],
    ['a sentence', 'One of these. And two more.\n\nThree.', 'One of these. And two more.\n\n', 13, ' New.'],
  ])('keeps words on their card alone: %s', async (_what, whole, out, place, suggested) => {
    await change(whole)
    const gone = await suggest(out, '')
    const other = await put(whole, suggested, place)
    await resolve(gone, 'accept')
    const [now] = await list('?status=pending')
    expect(now).toMatchObject({ id: other.id, range: null, suggested_text: suggested })
    await galley.call('POST', `${at}/${gone.id}/reopen`, { as })
    const back = await list('?status=pending')
    expect(back.find(({ id }) => id === other.id)?.range).toEqual({ start: place, end: place })
  })

  it('tells whoever follows what is new that the line ends of one are others', async () => {
    await change('# Head\n\nOne.\n')
    const gone = await suggest('# Head\n\n', '')
    const other = await put('# Head\n\nOne.\n', '\n\nNew.', 6)
    galley.clock.now += 60_000
    await resolve(gone, 'accept')
    const since = new Date(galley.clock.now).toISOString()
    const news = await list(`?since=${since}`)
    const now = news.find(({ id }) => id === other.id)
    expect(now).toMatchObject({ suggested_text: 'New.\n\n' })
    expect(now!.anchor).toEqual(other.anchor)
    const own = async () => {
      await galley.call('POST', `${at}/${gone.id}/reopen`, { as })
      return (await list()).find(({ id }) => id === other.id)?.suggested_text
    }
    // Its author may give a reason meanwhile, or other words.
    await galley.call('PATCH', `${at}/${other.id}`, { as, json: { note: 'So.' } })
    expect(await own()).toBe('\n\nNew.')
    await resolve(gone, 'accept')
    await galley.call('PATCH', `${at}/${other.id}`, { as, json: { suggested_text: 'Newer.\n\n' } })
    expect(await own()).toBe('\n\nNewer.')
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

describe('what was seen', () => {
  const edit = async (one: string, json: object) =>
    (await galley.call('PATCH', `${at}/${one}`, { as, json })).data as Suggestion
  const decideAll = async (json: object) => (await galley.call('POST', `${at}/resolve`, { as, json })).data
  const seen = (one: string, how: 'accept' | 'reopen', edited_at: string | null) =>
    galley.call('POST', `${at}/${one}/${how}`, { as, json: { edited_at } })

  it('alone is accepted, by whoever says what it was: words or a place that nobody saw are refused and shown', async () => {
    const one = await suggest('two', '2')
    expect(one.edited_at).toBeNull()
    const edited = await edit(one.id, { suggested_text: 'EVIL' })
    expect(Date.parse(edited.edited_at!)).toBeGreaterThan(Date.parse(one.created_at))
    const refused = await seen(one.id, 'accept', one.edited_at)
    expect(refused).toMatchObject({ status: 409, code: 'CHANGED_SINCE' })
    expect(await list()).toMatchObject([{ suggested_text: 'EVIL', status: 'pending' }])
    expect(await text()).toBe('one two one two one')
    // In the same instant it is another edit all the same.
    const again = await edit(one.id, { suggested_text: 'evil' })
    expect((await seen(one.id, 'accept', edited.edited_at)).code).toBe('CHANGED_SINCE')
    const elsewhere = { anchor: { exact: 'two', prefix: 'one two one ', suffix: ' one', start: 12 } }
    const moved = await edit(one.id, elsewhere)
    expect((await seen(one.id, 'accept', again.edited_at)).code).toBe('CHANGED_SINCE')
    expect((await seen(one.id, 'accept', moved.edited_at)).status).toBe(200)
    expect(await text()).toBe('one two one evil one')
  })

  it('alone is changed, by whoever says what it was: two windows of one author lose none of each other’s words', async () => {
    const one = await suggest('two', '2')
    const { edited_at } = await edit(one.id, { suggested_text: '2nd', edited_at: one.edited_at })
    expect(edited_at).not.toBeNull()
    const late = { suggested_text: 'second', edited_at: one.edited_at }
    const refused = await galley.call('PATCH', `${at}/${one.id}`, { as, json: late })
    expect(refused).toMatchObject({ status: 409, code: 'CHANGED_SINCE' })
    expect(await list()).toMatchObject([{ suggested_text: '2nd', edited_at }])
    await edit(one.id, { ...late, edited_at })
    // Whoever says nothing changes what there is.
    await edit(one.id, { suggested_text: 'II' })
    expect(await list()).toMatchObject([{ suggested_text: 'II' }])
  })

  it('stays seen when its reason is another, or nothing changes', async () => {
    const one = await suggest('two', '2')
    await edit(one.id, { note: 'Shorter.' })
    await edit(one.id, { suggested_text: '2' })
    expect((await seen(one.id, 'accept', null)).status).toBe(200)
  })

  it('is compared of each of many, and the others are decided', async () => {
    const [one, other] = [await suggest('two', '2'), await suggest('one', '1')]
    await edit(one.id, { suggested_text: 'EVIL' })
    const both = [one, other].map(({ id: each, edited_at }) => ({ id: each, edited_at }))
    const asked = { action: 'accept', ids: [one.id, other.id], seen: both }
    expect(await decideAll(asked)).toEqual([
      { id: one.id, status: 'pending', error: 'CHANGED_SINCE' },
      { id: other.id, status: 'accepted', error: null },
    ])
    expect(await text()).toBe('1 two one two one')
    const mine = { action: 'accept', ids: [one.id], seen: [both[0]!], suggested_text: 'mine' }
    expect(await decideAll(mine)).toMatchObject([{ error: 'CHANGED_SINCE' }])
    expect(await decideAll({ action: 'accept', ids: [one.id] })).toMatchObject([{ error: null }])
    expect((await seen(one.id, 'reopen', null)).code).toBe('CHANGED_SINCE')
    expect(await decideAll({ action: 'reopen', ids: [one.id], seen: [both[0]!] })).toEqual([
      { id: one.id, status: 'accepted', error: 'CHANGED_SINCE' },
    ])
    expect(await text()).toBe('1 EVIL one two one')
  })
})
