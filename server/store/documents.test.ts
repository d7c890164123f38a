import { statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorAt } from '../domain/anchors/anchor.ts'
import { checkDatabase } from './check.ts'
import { testFolder, testStore } from './testing/store.ts'

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

  test('maps the places of comments and pending suggestions, of no others', () => {
    const at = testStore()
    const { store } = at
    const { id, number } = at.create('The quick brown fox.')
    const anchor = anchorAt('The quick brown fox.', 4, 9)
    const range = { start: 4, end: 9 }
    const comment = store.comments.create(number, at.author, { body: 'Hm', parentId: null, anchor, range })
    const fields = { original_text: 'quick', suggested_text: 'slow', note: null, anchor, range }
    const pending = store.suggestions.create(number, at.author, fields)
    const rejected = store.suggestions.create(number, at.author, fields)
    const { id: rejectedId } = rejected
    store.suggestions.settle([{ id: rejectedId, range: null }], {
      ...{ status: 'rejected', by: at.author, revision: 1 },
    })
    at.edit(id, 'See: The quick brown fox.')
    expect(store.comments.find(comment.id, number)!.range).toEqual({ start: 9, end: 14 })
    expect(store.suggestions.find(pending.id, number)!.range).toEqual({ start: 9, end: 14 })
    expect(store.suggestions.find(rejected.id, number)!.range).toEqual(range)
    at.edit(id, 'Nothing left')
    expect(store.comments.find(comment.id, number)!.range).toBeNull()
    expect(checkDatabase(store.db).findings).toEqual([])
  })

  test('in a burst of them writes the pages of its document, log and version, and no other', () => {
    const file = path.join(testFolder(), 'galley.db')
    const { store, create, edit } = testStore({ file })
    store.db.pragma('wal_autocheckpoint = 0')
    // Long, so that how it begins stays as it is.
    const text = (end: string) => `${'word '.repeat(1_000)}${end}`
    const { id } = create(text('a'))
    store.searchIndex.write(1)
    const pages = () => Math.floor(statSync(`${file}-wal`).size / (4096 + 24))
    edit(id, text('b'))
    const before = pages()
    edit(id, text('c'))
    // Versions have an index beside them.
    expect(pages() - before).toBe(4)
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
    expect(at.get(id)).toMatchObject({ text: { whole: 'before' }, revision: 1 })
    expect(at.store.db.prepare('SELECT count(*) FROM changes').pluck().get()).toBe(1)
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

  test('is in the same order whether or not the search index has caught up', () => {
    const { store, owner, clock, create, edit } = testStore()
    const ids = Array.from({ length: 6 }, (_, i) => {
      clock.at += 1
      return create(`text ${i}`).id
    })
    store.searchIndex.write(10)
    const expected = [...ids].reverse()
    for (const id of [ids[3]!, ids[0]!]) {
      clock.at += 1
      edit(id, 'changed')
      expected.unshift(...expected.splice(expected.indexOf(id), 1))
    }
    const pages = [0, 2, 4].flatMap((offset) => store.documents.list(owner.id, 2, offset))
    expect(pages.map(({ id }) => id)).toEqual(expected)
    store.searchIndex.write(10)
    expect(store.documents.list(owner.id, 6, 0).map(({ id }) => id)).toEqual(expected)
  })

  test('shows nobody else’s documents', () => {
    const at = testStore()
    at.create('mine')
    const other = at.store.users.create('Other')
    expect(at.store.documents.list(other.id, 100, 0)).toEqual([])
    expect(at.store.documents.listIds(other.id)).toEqual([])
  })
})

test('deleting a document removes everything of it from every table, and nothing else', () => {
  const at = testStore()
  const { store } = at
  const [gone, stays] = ['gone', 'stays'].map((word) => {
    const row = at.create(`${word} text`)
    const anchor = anchorAt(row.text.whole, 0, 4)
    const range = { start: 0, end: 4 }
    const thread = { parentId: null, anchor, range }
    const comment = store.comments.create(row.number, at.author, { body: 'Hm', ...thread })
    const ada = { id: null, name: 'Ada', key: 'guest:1' }
    store.comments.create(row.number, ada, { body: 'Hm!', ...thread, parentId: comment.id })
    store.suggestions.create(row.number, at.author, {
      original_text: word,
      suggested_text: '',
      note: null,
      anchor,
      range,
    })
    store.shareLinks.create(row.number, at.owner.id, { permission: 'view', label: null, expiresAt: null })
    store.files.create(row.number, {
      ...{
        name: word,
        sha256: word,
        type: 'image/png',
        size: 1,
        width: null,
        height: null,
        link: null,
        authorKey: 'key',
      },
    })
    store.rounds.create(
      row.number,
      { revision: row.revision, name: word, note: word, due_at: null },
      at.author,
    )
    store.seenFeedback.see(row, { comments: 1, suggestions: 1 })
    const guest = {
      key: 'guest:1',
      name: null,
      own_name: word,
      hidden: 0 as const,
      comments: 0,
      suggestions: 0,
    }
    store.guests.change(row.number, guest, { hidden: true })
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
    // Neither of the two is long or in the trash, or was there before there were words to search in.
    .filter((table) => !['trash', 'search_words_due', 'search_parts'].includes(table))
  expect(tables.sort()).toEqual([
    'changes',
    'colours',
    'comments',
    'document_starts',
    'files',
    'guests',
    'keyframes',
    'renders',
    'rounds',
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
  expect(store.search.find({ owner: at.owner.id, query: 'gone', limit: 10, offset: 0 })).toEqual([])
  expect(store.search.find({ owner: at.owner.id, query: 'stays', limit: 10, offset: 0 })).toHaveLength(1)
  expect(checkDatabase(store.db).findings).toEqual([])
})
