import { describe, expect, it } from 'vitest'
import type { Suggestion } from '../../contract/records/suggestions.ts'
import { unknownId } from '../../testing/galley.ts'
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

it('remembers of decisions that were taken back the newest, however often one is made', async () => {
  const anchor = { exact: 'two', prefix: 'one ', suffix: ' one', start: 4 }
  const one = await suggest('two', '2', { anchor })
  for (let n = 0; n < 20; n++) {
    await resolve(one, 'accept')
    await reopenAll([one.id])
  }
  const read = galley.store.db.prepare<[string], string>(
    `SELECT anchor ->> '$.undone' FROM suggestions WHERE id = ?`,
  )
  const undone = JSON.parse(read.pluck().get(one.id)!) as [number, number][]
  expect(undone.length).toBe(16)
  expect(undone.at(-1)).toEqual([40, 41])
})

it('has words where they were of which all stayed, once several are accepted and taken back at once', async () => {
  const marked = [
    await suggest('one two', '**one two**'),
    await suggest('two one', 'two one of it', {
      anchor: { exact: 'two one', prefix: 'one ', suffix: '', start: 12 },
    }),
  ]
  const ids = marked.map((one) => one.id)
  await galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept', ids } })
  expect(await text()).toBe('**one two** one two one of it')
  await reopenAll(ids)
  expect(await text()).toBe('one two one two one')
  const ranges = (await list('?status=pending')).map(({ range }) => range)
  expect(ranges).toEqual([
    { start: 0, end: 7 },
    { start: 12, end: 19 },
  ])
})

describe('reopening', () => {
  const reopen = (one: Suggestion) => resolve(one, 'reopen')
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

  it('of one whose line ends a later one took along leaves that one done, and neither is refused', async () => {
    await change('Intro.\n\nOne goes on.\n\nTwo goes on.\n\nEnd.\n')
    const put = await suggest('', '\n\nNew.', {
      anchor: { exact: '', prefix: 'One goes on.', suffix: '\n\nTwo', start: 20 },
    })
    const cut = await suggest('One goes on.\n\n', '')
    for (const one of [put, cut]) await resolve(one, 'accept')
    expect(await reopen(put)).toMatchObject({ status: 200 })
    expect(await text()).toBe('Intro.\n\nTwo goes on.\n\nEnd.\n')
    expect(await reopen(cut)).toMatchObject({ status: 200 })
    expect((await list()).find((one) => one.id === put.id)).toMatchObject({ suggested_text: '\n\nNew.' })
  })

  it('of one of two that took out the line ends between them leaves the other done', async () => {
    await change('Intro.\n\nOne goes on.\n\nTwo goes on.\n\nEnd.\n')
    const standing = (exact: string, start: number) => ({ anchor: { exact, prefix: '', suffix: '', start } })
    const first = await suggest('One goes on.\n\n', '', standing('One goes on.\n\n', 8))
    const second = await suggest('\n\nTwo goes on.', '', standing('\n\nTwo goes on.', 20))
    for (const one of [first, second]) await resolve(one, 'accept')
    expect(await reopen(first)).toMatchObject({ status: 200 })
    expect(await text()).toBe('Intro.\n\nOne goes on.\n\nEnd.\n')
    expect(await reopen(second)).toMatchObject({ status: 200 })
    expect(await text()).toBe('Intro.\n\nOne goes on.\n\nTwo goes on.\n\nEnd.\n')
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

  it('of all that were accepted together has what only puts something in stand where it stood', async () => {
    const anchor = { exact: '', start: 7, prefix: 'one two', suffix: ' one two one' }
    const insertion = await suggest('', ' and a half', { anchor })
    const beside = await suggest('two', 'II', secondTwo)
    await suggest('one', 'I')
    const before = (await list()).map(({ range }) => range)
    await galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept' } })
    expect(await text()).toBe('I two and a half one II one')
    await reopenAll([insertion.id, beside.id, (await list())[2]!.id])
    expect(await text()).toBe('one two one two one')
    expect((await list()).map(({ range }) => range)).toEqual(before)
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
    expect(await text()).toBe('Ship it on Monday please. Thanks, Bob')
    expect((await list()).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending'])
  })

  it('takes no letter of what somebody wrote in the place of accepted words that they deleted', async () => {
    await change('one b three')
    const made = await suggest('b', 'a', { anchor: { exact: 'b', start: 4 } })
    await resolve(made, 'accept')
    for (const next of ['one  three', 'one a three', 'one ap three', 'one apple three']) await change(next)
    expect((await reopen(made)).code).toBe('TEXT_NOT_FOUND')
    expect(await text()).toBe('one apple three')
  })

  it.each(['in one call', 'the rejected first', 'the accepted first'])(
    'of a choice among alternatives has all of them stand at their words again, %s',
    async (order) => {
      const before = await text()
      const anchor = { exact: 'one', prefix: 'two ', suffix: ' two', start: 8 }
      const [chosen, ...others] = [
        await suggest('one', '1', { anchor }),
        await suggest('one', 'uno', { anchor }),
        await suggest('one two', 'eins', { anchor: { ...anchor, exact: 'one two', suffix: ' one' } }),
      ]
      await resolve(chosen, 'accept')
      for (const other of others) await resolve(other, 'reject')
      const all = [chosen, ...others].map((one) => one.id)
      const calls = order === 'in one call' ? [all] : all.map((one) => [one])
      if (order === 'the rejected first') calls.reverse()
      for (const ids of calls)
        await galley.call('POST', `${at}/resolve`, { as, json: { action: 'reopen', ids } })
      expect(await text()).toBe(before)
      const now = await list('?status=pending')
      expect(now.map(({ range }) => range)).toEqual([
        { start: 8, end: 11 },
        { start: 8, end: 11 },
        { start: 8, end: 15 },
      ])
    },
  )

  it('of one that was rejected while its words were gone finds them where they are back', async () => {
    const rejected = await suggest('two one two', 'zwei')
    const before = await text()
    await change('one')
    await resolve(rejected, 'reject')
    await change(before)
    await galley.call('POST', `${at}/resolve`, { as, json: { action: 'reopen', ids: [rejected.id] } })
    expect((await list('?status=pending'))[0]?.range).toEqual({ start: 4, end: 15 })
    expect((await resolve(rejected, 'accept')).status).toBe(200)
    expect(await text()).toBe('one zwei one')
  })

  it('of a paragraph that was put in works once what took out a part of it is taken back', async () => {
    const before = 'One.\n\nTwo.\n\nThree.\n'
    await change(before)
    const gone = await suggest('Two.\n\n', '', { anchor: { exact: 'Two.\n\n', start: 6 } })
    const put = await suggest('', '\n\nNew.', { anchor: { exact: '', start: 10, prefix: 'Two.' } })
    await resolve(put, 'accept')
    await resolve(gone, 'accept')
    expect(await text()).toBe('One.\n\nNew.\n\nThree.\n')
    expect((await reopen(gone)).status).toBe(200)
    expect((await reopen(put)).status).toBe(200)
    expect(await text()).toBe(before)
  })

  it('of words that were taken out side by side puts them back in their order, whichever comes first', async () => {
    const before = await text()
    const first = await suggest('two ', '', { anchor: { exact: 'two ', start: 4 } })
    const next = await suggest('one ', '', { anchor: { exact: 'one ', start: 8 } })
    for (const one of [first, next]) await resolve(one, 'accept')
    expect(await text()).toBe('one two one')
    for (const one of [first, next]) await reopen(one)
    expect(await text()).toBe(before)
  })

  it('of several that stood side by side puts all of them back in one call, in whichever order they are named', async () => {
    const before = await text()
    const first = await suggest('two ', '', { anchor: { exact: 'two ', start: 4 } })
    const next = await suggest('one ', '', { anchor: { exact: 'one ', start: 8 } })
    const last = await suggest('two ', '', { anchor: { exact: 'two ', start: 12 } })
    const ids = [first, next, last].map((one) => one.id)
    const ranges = [[4, 8], [8, 12], [12, 16]].map(([start, end]) => ({ start, end })) // prettier-ignore
    for (const accepted of [
      [first, next, last],
      [next, first, last],
      [last, next, first],
      [first, last],
    ])
      // prettier-ignore
      for (const named of [ids, ids.toReversed()]) {
        for (const one of accepted) await resolve(one, 'accept')
        expect((await reopenAll(named)).data).toEqual(
          named.map((each) => ({ id: each, status: 'pending', error: null })),
        )
        expect(await text()).toBe(before)
        expect((await list()).map(({ range }) => range)).toEqual(ranges)
      }
  })

  it('of one accepted within another that was accepted later takes that back first', async () => {
    const before = await text()
    const first = await suggest('two', '2', { anchor: { exact: 'two', start: 4 } })
    const next = await suggest('one', '1', { anchor: { exact: 'one', start: 8 } })
    const apart = await suggest('two', 'II', { anchor: { exact: 'two', start: 12 } })
    await resolve(first, 'accept')
    const over = await suggest('2 one', 'else', { anchor: { exact: '2 one', start: 4 } })
    await resolve(over, 'accept')
    await resolve(next, 'reject')
    await resolve(apart, 'accept')
    const ids = [first, next, over, apart].map((one) => one.id)
    const became = (await reopenAll(ids)).data.map(({ status }: Suggestion) => status)
    expect(new Set(became)).toEqual(new Set(['pending']))
    expect(await text()).toBe(before)
    expect((await list()).map(({ range }) => range?.start)).toEqual([4, 8, 12, undefined])
  })

  it('of what was put in beside words that were taken out with it leaves it on its own side of these', async () => {
    const before = 'One and more.\n\nTwo.\n'
    await change(before)
    const around = await suggest('One and more.\n\n', '', {
      anchor: { exact: 'One and more.\n\n', start: 0 },
    })
    const gone = await suggest('and more.', '', { anchor: { exact: 'and more.', start: 4 } })
    const made = await suggest('', '\n\nNew.', { anchor: { exact: '', start: 13, revision: 2 } })
    const ids = [gone.id, made.id]
    await galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept', ids } })
    for (const one of [made, gone]) expect((await reopen(one)).status).toBe(200)
    expect(await text()).toBe(before)
    const now = await list()
    expect([around, gone, made].map(({ id }) => now.find((one) => one.id === id)?.range?.start)).toEqual([
      0, 4, 13,
    ])
  })

  it('of one that was taken back before leaves its neighbours in their order', async () => {
    const before = 'Intro.\n\nOne.\n\nTwo.\n\nThree.\n\nEnd.\n'
    await change(before)
    const out = (exact: string) => suggest(exact, '', { anchor: { exact, start: before.indexOf(exact) } })
    const [one, two, three] = [await out('One.\n\n'), await out('Two.\n\n'), await out('Three.\n\n')]
    for (const each of [one, two, three]) await resolve(each, 'accept')
    await reopen(one)
    await resolve(one, 'accept')
    for (const each of [one, two]) await reopen(each)
    expect(await text()).toBe('Intro.\n\nOne.\n\nTwo.\n\nEnd.\n')
    await reopen(three)
    expect(await text()).toBe(before)
  })

  it('of what was rejected at a place leaves what is put in there in the order in which it was made', async () => {
    const [first, next] = [
      await put('one two one two one', ' a', 3),
      await put('one two one two one', ' b', 3),
    ]
    for (const [rejected, other] of [
      [first, next],
      [next, first],
    ] as const) {
      await resolve(rejected, 'reject')
      await resolve(other, 'accept')
      await reopen(rejected)
      await resolve(rejected, 'accept')
      expect(await text()).toBe('one a b two one two one')
      await reopenAll([first.id, next.id])
      expect(await text()).toBe('one two one two one')
    }
  })

  it('of many around one that is pending at their place leaves that between them', async () => {
    const before = await text()
    const all = [await put(before, ' aa', 3), await put(before, ' bb', 3), await put(before, ' cc', 3)]
    const [a, b, c] = all as [Suggestion, Suggestion, Suggestion]
    const ids = [c.id, a.id]
    await galley.call('POST', `${at}/resolve`, { as, json: { action: 'accept', ids } })
    expect(await text()).toBe('one aa cc two one two one')
    expect((await list('?status=pending')).map(({ range }) => range)).toEqual([{ start: 6, end: 6 }])
    await reopenAll(ids)
    expect(await text()).toBe(before)
    expect((await list()).map(({ range }) => range?.start)).toEqual([3, 3, 3])
    for (const one of [a, c]) await resolve(one, 'accept')
    await reopenAll(ids)
    expect(await text()).toBe(before)
    expect((await list()).map(({ range }) => range?.start)).toEqual([3, 3, 3])
    for (const one of [b, c, a]) await resolve(one, 'accept')
    expect(await text()).toBe('one aa bb cc two one two one')
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
