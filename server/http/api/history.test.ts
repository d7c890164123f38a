import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import type { Document } from '../../contract/records/documents.ts'
import type { History, HistoryEntry } from '../../contract/records/versions.ts'
import {
  applyChanges,
  ChangeSet,
  changesToJson,
  completeChanges,
  type ChangesJson,
} from '../../domain/change-set.ts'
import { contentHash } from '../../domain/content-hash.ts'
import { anyText } from '../../domain/testing/arbitrary-text.ts'
import { prose } from '../../domain/testing/large-text.ts'
import { createTestGalley, type TestCredentials, type TestGalley } from '../../testing/galley.ts'

let galley: TestGalley
let as: TestCredentials
beforeEach(async () => {
  galley = await createTestGalley()
  as = galley.as.owner
})
afterEach(() => galley.close())

const part = async (id: string, query = '', by = as) => {
  const answer = await galley.call('GET', `/api/documents/${id}/history${query}`, { as: by })
  expect(answer.message).toBeNull()
  return answer.data as History
}

/** All of it, in parts of so many. */
async function whole(id: string, limit = ''): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  for (let more = true; more;) {
    const next = await part(id, `?after=${entries.at(-1)?.revision ?? 0}${limit}`)
    entries.push(...next.entries)
    more = next.more
  }
  return entries
}

/** The text at each revision, as the changes make it; words that an entry leaves out are read. */
async function played(id: string, entries: HistoryEntry[]): Promise<string[]> {
  let text = ''
  const texts: string[] = []
  for (const { revision, changes } of entries) {
    const at = () => galley.call('GET', `/api/documents/${id}/revisions/${revision}`, { as })
    const isShort = changes.some((one) => typeof one !== 'number' && typeof one[1] === 'number')
    const after = isShort ? ((await at()).data as Document).content : ''
    text = applyChanges(text, ChangeSet.fromJSON(completeChanges(changes, after)))
    texts.push(text)
  }
  return texts
}

/** Types as an editor does, and answers the new text. */
let pushes = 0
async function type(document: Document, by: TestCredentials, name: string, at: number, words: string) {
  const { content, revision } = (await galley.call('GET', `/api/documents/${document.id}`, { as: by })).data
  const changes: ChangesJson = changesToJson(
    ChangeSet.of({ from: Math.min(at, content.length), insert: words }, content.length),
  )
  galley.clock.now += 1_000
  const answer = await galley.call('POST', `/api/documents/${document.id}/changes`, {
    as: by,
    json: {
      base: revision,
      client: `client-of-a-test-${++pushes}`,
      number: 1,
      changes,
      ...(name ? { author_name: name } : {}),
    },
  })
  expect(answer.message).toBeNull()
}

describe('the history of a text', () => {
  it('says of each change who made it when, and what it did', async () => {
    const document = await galley.newDocument({ content: 'one' })
    const token = await galley.newToken(document.id, 'edit')
    await type(document, { token }, 'Ada', 3, ' two')
    await type(document, galley.as.session, '', 0, 'Zero\n')
    const suggestion = await galley.newSuggestion(
      document.id,
      { token },
      { original_text: 'two', suggested_text: 'three', author_name: 'Ben' },
    )
    await galley.call('POST', `/api/documents/${document.id}/suggestions/${suggestion.id}/accept`, { as })
    expect(await part(document.id)).toEqual({
      revision: 4,
      more: false,
      entries: [
        {
          revision: 1,
          base: 0,
          kind: 'create',
          author_id: galley.user.id,
          author_name: galley.user.name,
          key_name: 'Test',
          author_kind: 'script',
          author_colour: expect.any(Number) as number,
          suggesters: [],
          size: 3,
          hash: contentHash('one'),
          created_at: '2026-03-01T09:30:00.000Z',
          changes: [[0, 3]],
        },
        {
          revision: 2,
          base: 1,
          kind: 'edit',
          author_id: null,
          author_name: 'Ada',
          key_name: null,
          author_kind: 'guest',
          author_colour: expect.any(Number) as number,
          suggesters: [],
          size: 7,
          hash: contentHash('one two'),
          created_at: '2026-03-01T09:30:01.000Z',
          changes: [3, [0, ' two']],
        },
        expect.objectContaining({
          author_id: galley.user.id,
          key_name: null,
          changes: [[0, 'Zero', ''], 7],
        }),
        expect.objectContaining({
          kind: 'suggestion',
          author_id: galley.user.id,
          key_name: 'Test',
          author_kind: 'script',
          suggesters: [
            {
              ...{ name: 'Ben', guest: true, kind: 'guest', key_name: null },
              author_colour: expect.any(Number) as number,
            },
          ],
        }),
      ],
    })
    expect(await played(document.id, await whole(document.id))).toEqual([
      'one',
      'one two',
      'Zero\none two',
      'Zero\none three',
    ])
  })

  it('is whole in parts of any size, whatever was written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (texts, limit) => {
          const { id } = await galley.newDocument({ content: texts[0]! })
          for (const content of texts)
            await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } })
          const entries = await whole(id, `&limit=${limit}`)
          expect(entries).toEqual(await whole(id))
          const made = await played(id, entries)
          for (const [i, { revision, size, hash }] of entries.entries()) {
            const { data } = await galley.call('GET', `/api/documents/${id}/revisions/${revision}`, { as })
            expect(made[i]).toBe(data.content)
            expect([size, hash]).toEqual([made[i]!.length, contentHash(made[i]!)])
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it('comes in parts that are bounded in changes and in characters, and go on', async () => {
    const { id, number } = galley.store.documents.create(
      galley.user.id,
      { title: 'Long', content: '' },
      { id: galley.user.id, name: 'Owner', key: 'session:1' },
    )
    const author = { id: null, name: 'Ada', key: 'guest:1' }
    const write = (content: string) =>
      galley.store.transaction(() =>
        galley.store.documents.change(galley.store.documents.get(number), {
          content,
          kind: 'edit',
          author,
          informed: true,
        }),
      )
    galley.store.transaction(() => {
      for (let n = 1; n <= limits.historyPage + 5; n++) write(`${n}`)
    })
    const first = await part(id, '?limit=100000')
    expect([first.entries.length, first.more]).toEqual([limits.historyPage, true])
    const second = await part(id, `?after=${limits.historyPage}`)
    expect([second.entries.length, second.more]).toEqual([6, false])
    expect(await part(id, '?after=99999')).toEqual({ ...second, entries: [] })

    // Each less than what an entry leaves out.
    let text = ''
    for (let n = 0; n < 6; n++) write((text += prose(60_000, n)))
    const long = await part(id, `?after=${second.revision}`)
    expect([long.entries.length, long.more]).toEqual([4, true])
    // One that is longer than a part comes by itself.
    const book = prose(800_000)
    write(book)
    write(prose(limits.historyCharacters + 10_000, 5) + book)
    write('The end.')
    const last = second.revision + 6
    expect(await part(id, `?after=${last}`)).toMatchObject({ more: true, entries: [{ size: book.length }] })
    expect((await part(id, `?after=${last + 1}`)).entries).toHaveLength(1)
  })

  it('is read by whoever reads versions, and nobody else', async () => {
    const { id } = await galley.newDocument()
    expect((await part(id, '', galley.as.reader)).entries).toHaveLength(1)
    const read = (by: TestCredentials) => galley.call('GET', `/api/documents/${id}/history`, { as: by })
    expect((await read(galley.as.stranger)).code).toBe('NOT_FOUND')
    for (const permission of ['view', 'edit'] as const)
      expect((await read({ token: await galley.newToken(id, permission) })).code).toBe('UNAUTHORIZED')
  })

  it.each(['after=-1', 'after=one', 'after=1.5', 'limit=0', 'limit=x'])('refuses “%s”', async (query) => {
    const { id } = await galley.newDocument()
    const answer = await galley.call('GET', `/api/documents/${id}/history?${query}`, { as })
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
  })
})

it('is told around what is damaged, and an editor from before that gets the text as it is', async () => {
  const { id } = await galley.newDocument({ content: 'one' })
  for (const content of ['one two', 'one two three', 'one two three four'])
    await galley.call('PATCH', `/api/documents/${id}`, { as, json: { content } })
  galley.store.db.exec("UPDATE changes SET changes = '[' WHERE revision = 3")
  expect((await part(id)).entries.map(({ revision }) => revision)).toEqual([1, 2, 4])
  const push = { base: 2, client: 'x'.repeat(22), number: 1, changes: [7, [0, '!']] }
  for (const answer of [
    await galley.call('GET', `/api/documents/${id}/changes?since=2`, { as }),
    await galley.call('POST', `/api/documents/${id}/changes`, { as, json: push }),
  ]) {
    expect([answer.status, answer.code]).toEqual([412, 'PRECONDITION_FAILED'])
    expect(answer.data).toMatchObject({ content: 'one two three four', revision: 4 })
  }
})
