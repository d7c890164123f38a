import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anchorAt } from '../domain/anchors/anchor.ts'
import { checkDatabase } from './check.ts'
import { testStore } from './testing/store.ts'

describe('a change', () => {
  test('comes later than the one before, even when the clock stands still or goes back', () => {
    const at = testStore()
    const created = at.create('0')
    const times = [created.updated_at]
    for (const [index, step] of [0, 0, -5_000, 10_000].entries()) {
      at.clock.at += step
      times.push(at.edit(created.id, String(index + 1)).updated_at)
    }
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    expect(at.get(created.id).created_at).toBe(created.created_at)
  })

  test('carries the places of comments and pending suggestions along, of no others', () => {
    const at = testStore()
    const { store } = at
    const { id, number } = at.create('The quick brown fox.')
    const anchor = anchorAt('The quick brown fox.', 4, 9)
    const range = { start: 4, end: 9 }
    const comment = store.comments.create(number, at.author, { body: 'Hm', parentId: null, anchor, range })
    const fields = { original_text: 'quick', suggested_text: 'slow', note: null, anchor, range }
    const pending = store.suggestions.create(number, at.author, fields)
    const rejected = store.suggestions.create(number, at.author, fields)
    store.suggestions.settle(rejected.id, 'rejected')
    at.edit(id, 'See: The quick brown fox.')
    expect(store.comments.find(comment.id, number)!.range).toEqual({ start: 9, end: 14 })
    expect(store.suggestions.find(pending.id, number)!.range).toEqual({ start: 9, end: 14 })
    expect(store.suggestions.find(rejected.id, number)!.range).toEqual(range)
    at.edit(id, 'Nothing left')
    expect(store.comments.find(comment.id, number)!.range).toBeNull()
    expect(checkDatabase(store.db).findings).toEqual([])
  })

  test('that fails undoes everything the transaction did', () => {
    const at = testStore()
    const { id } = at.create('before')
    const change = () =>
      at.store.transaction(() => {
        at.edit(id, 'after')
        throw new Error('no')
      })
    expect(change).toThrow('no')
    expect(at.get(id)).toMatchObject({ content: 'before', revision: 1 })
    expect(at.store.db.prepare('SELECT count(*) FROM changes').pluck().get()).toBe(0)
  })
})

describe('the list', () => {
  test('has a total order: latest first, and equal times never make a page repeat or skip', () => {
    const at = testStore()
    const ids = Array.from({ length: 25 }, (_, i) => {
      if (i % 5 === 0) at.clock.at += 1_000
      return at.create('x', `Document ${i}`).id
    })
    for (const size of [1, 3, 7, 25]) {
      const pages: string[] = []
      for (let offset = 0; offset < 30; offset += size) {
        pages.push(...at.store.documents.list(at.owner.id, size, offset).map(({ id }) => id))
      }
      expect(pages).toHaveLength(25)
      expect(new Set(pages)).toEqual(new Set(ids))
    }
    const rows = at.store.documents.list(at.owner.id, 100, 0)
    const sorted = [...rows].sort((a, b) => b.updated_at - a.updated_at || (a.id < b.id ? -1 : 1))
    expect(rows).toEqual(sorted)
  })

  test('shows nobody else’s documents', () => {
    const at = testStore()
    at.create('mine')
    const other = at.store.users.create('Other')
    expect(at.store.documents.list(other.id, 100, 0)).toEqual([])
    expect(at.store.documents.listIds(other.id)).toEqual([])
  })
})

describe('the log', () => {
  const logOf = (at: ReturnType<typeof testStore>) =>
    at.store.db
      .prepare<[], { entries: number; bytes: number }>(
        'SELECT count(*) AS entries, total(octet_length(changes)) AS bytes FROM changes',
      )
      .get()!

  test('is kept to about a thousand entries, and no version is lost by that', () => {
    const at = testStore()
    const { id, number } = at.create('start')
    let most = 0
    at.store.transaction(() => {
      for (let i = 0; i < 1_300; i++) {
        at.clock.at += 10
        at.edit(id, `text ${i}`, { informed: i % 100 !== 0 })
        most = Math.max(most, logOf(at).entries)
      }
    })
    expect(most).toBeLessThan(1_000 + 64)
    const kept = at.store.versions.list(number)
    expect(kept).toHaveLength(14)
    expect(kept.map(({ revision }) => at.store.versions.find(number, revision)!.content)).not.toContain('')
    expect(at.store.versions.find(number, 1)!.content).toBe('start')
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })

  test('is kept to about 4 MiB however large the changes are', () => {
    const at = testStore()
    const { id, number } = at.create('')
    const texts = Array.from({ length: 12 }, (_, i) => String.fromCharCode(97 + i).repeat(1024 * 1024))
    for (const text of texts) {
      at.edit(id, text, { informed: false })
      expect(logOf(at).bytes).toBeLessThanOrEqual(4 * 1024 * 1024 + 1024)
    }
    expect(at.store.versions.list(number)).toHaveLength(13)
    expect(at.store.versions.find(number, 2)!.content === texts[0]).toBe(true)
    expect(checkDatabase(at.store.db).findings).toEqual([])
  })

  test('begins anew after a change that is longer than all of it, and every text is kept all the same', () => {
    const at = testStore()
    const { id, number } = at.create('first')
    at.edit(id, 'second', { informed: false })
    const large = 'x'.repeat(6 * 1024 * 1024)
    at.edit(id, large, { informed: false })
    expect(logOf(at).entries).toBe(0)
    expect(checkDatabase(at.store.db).findings).toEqual([])
    at.edit(id, `${large}!`, { informed: false })
    at.edit(id, '\n'.repeat(6 * 1024 * 1024), { informed: false })
    at.edit(id, 'last', { informed: false })
    expect(logOf(at).entries).toBe(1)
    expect(checkDatabase(at.store.db).findings).toEqual([])
    const texts = [1, 2, 3, 4].map((revision) => at.store.versions.find(number, revision)!.content)
    expect(texts.map((text) => text!.length)).toEqual([5, 6, large.length, large.length + 1])
  })
})

test('deleting a document removes everything of it from every table, and nothing else', () => {
  const at = testStore()
  const { store } = at
  const [gone, stays] = ['gone', 'stays'].map((word) => {
    const row = at.create(`${word} text`)
    const anchor = anchorAt(row.content, 0, 4)
    const range = { start: 0, end: 4 }
    const thread = { parentId: null, anchor, range }
    const comment = store.comments.create(row.number, at.author, { body: 'Hm', ...thread })
    store.comments.create(row.number, at.author, { body: 'Hm!', ...thread, parentId: comment.id })
    store.suggestions.create(row.number, at.author, {
      original_text: word,
      suggested_text: '',
      note: null,
      anchor,
      range,
    })
    store.shareLinks.create(row.number, at.owner.id, { permission: 'view', label: null, expiresAt: null })
    store.seenFeedback.see(row, { comments: 1, suggestions: 1 })
    const edited = at.edit(row.id, `${word} text, edited`, { informed: false })
    store.renders.put(edited, { facts: '{}', html: '<p>' })
    return edited
  }) as [ReturnType<typeof at.create>, ReturnType<typeof at.create>]
  store.deferred.now()

  const tables = store.db
    .prepare<[], { name: string }>(
      "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = 'document' WHERE m.type = 'table'",
    )
    .all()
    .map(({ name }) => name)
    // Neither of the two is in the trash, or was there before there were words to search in.
    .filter((table) => !['trash', 'search_words_due'].includes(table))
  expect(tables.sort()).toEqual([
    'changes',
    'comments',
    'document_starts',
    'renders',
    'seen_feedback',
    'share_links',
    'suggestions',
    'versions',
  ])
  const rowsOf = (number: number) =>
    Object.fromEntries([
      ...tables.map((table) => [
        table,
        store.db.prepare(`SELECT count(*) FROM ${table} WHERE document = ?`).pluck().get(number),
      ]),
      [
        'index',
        store.db.prepare('SELECT count(*) FROM documents_fts_docsize WHERE id = ?').pluck().get(number),
      ],
    ]) as Record<string, number>
  const before = rowsOf(stays.number)
  expect(Object.values(before).every((count) => count > 0)).toBe(true)

  store.transaction(() => store.documents.delete(gone))
  expect(Object.values(rowsOf(gone.number)).every((count) => count === 0)).toBe(true)
  expect(rowsOf(stays.number)).toEqual(before)
  expect(store.documents.find(gone.id)).toBeUndefined()
  expect(store.search.find(at.owner.id, 'gone', 10, 0)).toEqual([])
  expect(store.search.find(at.owner.id, 'stays', 10, 0)).toHaveLength(1)
  expect(checkDatabase(store.db).findings).toEqual([])
})

test('an earlier text is known as far as versions and log lead there, and is never another', () => {
  const edit = fc.record({
    text: fc.string({ unit: 'binary', maxLength: 300 }),
    /** Soon enough after the one before to become one version with it, or not. */
    wait: fc.constantFrom(1_000, 120_000),
    informed: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(edit, { maxLength: 12 }), (start, edits) => {
      const at = testStore()
      const { id } = at.create(start)
      const texts = [start]
      for (const { text, wait, informed } of edits) {
        at.clock.at += wait
        const kind = 'edit' as const
        at.store.documents.change(at.get(id), { content: text, kind, author: at.author, informed })
        texts.push(text)
      }
      const now = at.get(id)
      for (const [before, text] of texts.entries())
        expect(at.store.documents.textAt(now, before + 1)).toBe(text)
      expect(at.store.documents.textAt(now, texts.length + 1)).toBeNull()
      at.store.db.prepare('DELETE FROM changes WHERE revision <= 3').run()
      for (const [before, text] of texts.entries())
        expect([text, null]).toContain(at.store.documents.textAt(now, before + 1))
      at.store.close()
    }),
    { numRuns: 60 },
  )
})
