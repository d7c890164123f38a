import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let id: string
beforeEach(async () => {
  galley = await createTestGalley()
  id = (await galley.newDocument({ content: 'One two three.\n' })).id
})
afterEach(() => galley.close())

const kinds = ['comments', 'suggestions'] as const
type Kind = (typeof kinds)[number]
const anchor = (exact: string, start: number, revision = 1) => ({ exact, start, revision })
const good = (exact: string, start: number) => ({
  comments: { body: `On ${exact}`, anchor: anchor(exact, start) },
  suggestions: { original_text: exact, suggested_text: 'x', anchor: anchor(exact, start) },
})
const bad = {
  comments: { body: 'Too early', anchor: anchor('two', 4, 9) },
  suggestions: { original_text: 'two', suggested_text: 'x', anchor: anchor('two', 4, 9) },
}
const send = (kind: Kind, items: unknown[], more: object = {}, as: TestCredentials = galley.as.owner) =>
  galley.call('POST', `/api/documents/${id}/${kind}/batch`, { as, json: { [kind]: items, ...more } })
const list = async (kind: Kind) =>
  (await galley.call('GET', `/api/documents/${id}/${kind}`, { as: galley.as.owner })).data as unknown[]
const one = { comments: 'comment', suggestions: 'suggestion' } as const

describe.each(kinds)('many %s at once', (kind) => {
  it('are made in their order, each as alone, in one transaction', async () => {
    const answer = await send(kind, [good('two', 4)[kind], good('three', 8)[kind]])
    expect(answer.status).toBe(200)
    const made = (answer.data as Record<string, unknown>[]).map((result) => result[one[kind]])
    expect(made).toEqual(await list(kind))
    expect(made).toMatchObject([{ range: { start: 4, end: 7 } }, { range: { start: 8, end: 13 } }])
    const created = galley.events.filter((event) => event.kind === `${one[kind]}.created`)
    expect(created.map(({ subjectId }) => subjectId)).toEqual(made.map((row) => (row as { id: string }).id))
  })

  it('are all made or none, and the error says which one it was', async () => {
    const answer = await send(kind, [good('two', 4)[kind], bad[kind]])
    expect(answer).toMatchObject({ code: 'VALIDATION_ERROR', field: `${kind}.1.anchor.revision` })
    expect(await list(kind)).toEqual([])
    expect(galley.events.filter((event) => event.kind === `${one[kind]}.created`)).toEqual([])
  })

  it('are made each by itself where that is asked for, and the others say why not', async () => {
    const answer = await send(kind, [bad[kind], good('three', 8)[kind]], { mode: 'each' })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject([
      { [one[kind]]: null, error: { code: 'VALIDATION_ERROR', field: 'anchor.revision' } },
      { [one[kind]]: { range: { start: 8, end: 13 } }, error: null },
    ])
    expect(await list(kind)).toHaveLength(1)
  })

  it('are refused as a whole where one isn’t of the right form, or they are none, or too many', async () => {
    const malformed = await send(kind, [good('two', 4)[kind], {}], { mode: 'each' })
    expect(malformed.code).toBe('VALIDATION_ERROR')
    const missing = kind === 'comments' ? 'comments.1.body' : 'suggestions.1.original_text'
    expect(malformed.field).toBe(missing)
    for (const items of [[], Array.from({ length: limits.bulkFeedback + 1 }, () => good('two', 4)[kind])])
      expect(await send(kind, items)).toMatchObject({ code: 'VALIDATION_ERROR', field: kind })
    expect(await list(kind)).toEqual([])
  })

  it('cost a guest as much as one after the other', async () => {
    const guest = { token: await galley.newToken(id, 'edit') }
    const items = (count: number) => Array.from({ length: count }, () => good('two', 4)[kind])
    const most = limits.guestWritesPerMinute
    expect((await send(kind, items(most + 1), {}, guest)).code).toBe('PAYLOAD_TOO_LARGE')
    // What was refused for being too many was a change that was tried.
    expect((await send(kind, items(most - 10), { author_name: 'Ada' }, guest)).status).toBe(200)
    // More than is left costs nothing but the asking.
    expect((await send(kind, items(10), {}, guest)).code).toBe('RATE_LIMITED')
    expect((await send(kind, items(5), {}, guest)).status).toBe(200)
    expect((await send(kind, items(5), {}, guest)).code).toBe('RATE_LIMITED')
    expect(await list(kind)).toHaveLength(most - 5)
  })

  it('are a guest’s own, all of one request, and done once under one name', async () => {
    const token = await galley.newToken(id, 'edit')
    const request = {
      as: { token },
      headers: { 'idempotency-key': 'a-random-name-of-this-request' },
      json: { [kind]: [good('two', 4)[kind], good('three', 8)[kind]], author_name: 'Ada' },
    }
    const answer = await galley.call('POST', `/api/documents/${id}/${kind}/batch`, request)
    expect(answer.headers['set-cookie']).toBeDefined()
    for (const result of answer.data as Record<string, { mine: boolean; author_name: string }>[])
      expect(result[one[kind]]).toMatchObject({ mine: true, author_name: 'Ada' })
    await galley.call('POST', `/api/documents/${id}/${kind}/batch`, request)
    expect(await list(kind)).toHaveLength(2)
  })

  it('are placed together where the text is long', async () => {
    const words = Array.from({ length: 60_000 }, (_, i) => `w${i} `)
    const content = words.join('')
    const long = await galley.newDocument({ content })
    id = long.id
    const items = [10, 20_000, 30_000, 40_000, 50_000, 59_000, 59_500].map((i) => {
      const exact = words[i]!.trim()
      return good(exact, content.indexOf(` ${exact} `) + 1)[kind]
    })
    const answer = await send(kind, items)
    expect(answer.status).toBe(200)
    for (const [index, result] of (answer.data as Record<string, { range: object }>[]).entries())
      expect(result[one[kind]]!.range).toMatchObject({ start: items[index]!.anchor.start })
  })
})

it('replies can be among many comments, and what is answered must be there', async () => {
  const { id: parent_id } = await galley.newComment(id)
  const answer = await send('comments', [
    { body: 'Yes.', parent_id },
    { body: 'No.', parent_id: id },
  ])
  expect(answer).toMatchObject({ code: 'VALIDATION_ERROR', field: 'comments.1.parent_id' })
  const made = await send('comments', [{ body: 'Yes.', parent_id }])
  expect(made.data).toMatchObject([{ comment: { parent_id } }])
})

it('what suggests nothing says so for itself', async () => {
  const empty = { original_text: '', suggested_text: 'x' }
  const answer = await send('suggestions', [empty, good('two', 4).suggestions], { mode: 'each' })
  expect(answer.data).toMatchObject([
    { suggestion: null, error: { field: 'original_text' } },
    { suggestion: { original_text: 'two' }, error: null },
  ])
})

it('a link that allows less is refused', async () => {
  const comment = { token: await galley.newToken(id, 'comment') }
  expect((await send('suggestions', [good('two', 4).suggestions], {}, comment)).code).toBe('FORBIDDEN')
  const view = { token: await galley.newToken(id, 'view') }
  expect((await send('comments', [good('two', 4).comments], {}, view)).code).toBe('FORBIDDEN')
})
