import { describe, expect, test } from 'vitest'
import { applyChanges, changesFromJson } from '../domain/change-set.ts'
import { checkDatabase } from './check.ts'
import { testStore } from './testing/store.ts'

describe('the log', () => {
  const bytesOf = ({ store }: ReturnType<typeof testStore>) =>
    (store.db.pragma('page_count', { simple: true }) as number) *
    (store.db.pragma('page_size', { simple: true }) as number)
  const count = ({ store }: ReturnType<typeof testStore>, table: 'changes' | 'keyframes') =>
    store.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number

  test('is kept from the first character on, and leads to every revision', () => {
    const at = testStore()
    const { id } = at.create('start')
    at.store.transaction(() => {
      for (let i = 0; i < 1_300; i++) at.edit(id, `text ${i}`)
    })
    expect(count(at, 'changes')).toBe(1_301)
    expect(at.textAt(id, 1)).toBe('start')
    for (const revision of [2, 500, 1_300, 1_301])
      expect(at.textAt(id, revision)).toBe(`text ${revision - 2}`)
    expect(at.textAt(id, 0)).toBeNull()
    expect(at.textAt(id, 1_302)).toBeNull()
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })

  test('of 2,000 small edits of a 500 KB text takes less than 2 MB', () => {
    const at = testStore()
    const line = 'A sentence of some words that stand here.\n'
    let text = line.repeat(12_000)
    const { id } = at.create(text)
    const before = bytesOf(at)
    for (let i = 0; i < 10; i++) {
      at.store.transaction(() => {
        for (let k = 0; k < 200; k++) {
          const place = ((i * 7919 + k * 104_729) % 12_000) * line.length
          text = `${text.slice(0, place)}word ${text.slice(place)}`
          at.edit(id, text)
        }
      })
      at.store.deferred.now()
    }
    expect(bytesOf(at) - before).toBeLessThan(2_000_000)
    expect(count(at, 'changes')).toBe(2_001)
    expect(at.textAt(id, 1_000)).toHaveLength(line.length * 12_000 + 999 * 5)
    expect(at.get(id).text.whole).toBe(text)
  }, 120_000)

  test('says of a large change only where it was; its text is a keyframe’s', () => {
    const at = testStore()
    const { id } = at.create('first')
    const texts = ['first', 'second', 'x'.repeat(6 * 1024 * 1024)]
    texts.push(`${texts[2]!}!`, '\n'.repeat(6 * 1024 * 1024), 'last')
    for (const text of texts.slice(1)) at.edit(id, text, { informed: false })
    const logged = at.store.db.prepare('SELECT total(octet_length(changes)) FROM changes').pluck().get()
    expect(logged).toBeLessThan(1_000)
    for (const [i, text] of texts.entries()) expect(at.textAt(id, i + 1) === text).toBe(true)
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })
})

describe('what an editor that comes back is told', () => {
  test('is each change since its revision, with all its words', () => {
    const at = testStore()
    const { id } = at.create('one')
    at.edit(id, 'one two', { by: { id: null, name: 'Ada', key: 'guest:1' } })
    at.edit(id, 'large '.repeat(50_000))
    at.edit(id, `so: ${'large '.repeat(50_000)}`)
    const entries = at.store.documents.readSince(at.get(id), 0)!
    expect(entries.map(({ revision, base }) => [base, revision])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ])
    expect(entries[1]).toMatchObject({ author_name: 'Ada', author_key: 'guest:1', changes: [3, [0, ' two']] })
    let text = ''
    for (const { changes, length } of entries) {
      text = applyChanges(text, changesFromJson(changes))
      expect(text).toHaveLength(length)
    }
    expect(text).toBe(at.get(id).text.whole)
    expect(at.store.documents.readSince(at.get(id), 3)).toEqual([entries[3]])
    expect(at.store.documents.readSince(at.get(id), 4)).toEqual([])
  })

  test('of a change that it sends again is what that made the first time', () => {
    const at = testStore()
    const { id, number } = at.create('one')
    const send = (content: string, client: { id: string; number: number }) =>
      at.store.transaction(() =>
        at.store.documents.change(at.get(id), {
          content,
          client,
          kind: 'edit',
          author: at.author,
          informed: true,
        }),
      )
    const first = send('one two', { id: 'a', number: 1 })
    expect(first).toMatchObject({ text: { whole: 'one two' }, revision: 2 })
    send('one two three', { id: 'b', number: 1 })
    at.edit(id, 'one two three four')
    const again = send('one two', { id: 'a', number: 1 })
    expect(again).toMatchObject({
      text: { whole: 'one two' },
      revision: 2,
      hash: first.hash,
      updated_at: first.updated_at,
    })
    expect(at.get(id)).toMatchObject({ text: { whole: 'one two three four' }, revision: 4 })
    expect(send('five', { id: 'a', number: 2 }).revision).toBe(5)
    expect(at.store.versions.list(number)[0]!.revision).toBe(5)
    // The same name for a change of another document is another change.
    const other = at.create('')
    at.store.documents.change(other, {
      content: 'x',
      client: { id: 'a', number: 1 },
      kind: 'edit',
      author: at.author,
      informed: true,
    })
    expect(at.get(other.id).text.whole).toBe('x')
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })
})
