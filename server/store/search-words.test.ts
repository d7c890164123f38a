import Database from 'better-sqlite3'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { migrations } from './migrations/index.ts'
import { replaceAll } from './restored-rows.ts'
import { readBackup, removeCopy } from './backup-copy.ts'
import { insideWords, searchWordStore } from './search-words.ts'
import { testFolder, testStore } from './testing/store.ts'

const search = (at: ReturnType<typeof testStore>, query: string) =>
  at.store.search.find({ owner: at.owner.id, query, limit: 100, offset: 0 }).map(({ title }) => title)
const words = (at: ReturnType<typeof testStore>) =>
  at.store.db.prepare('SELECT word FROM search_words ORDER BY word').pluck().all()

test('each word is kept once, folded, if something shorter can be inside of it', () => {
  const at = testStore()
  at.create('Crème, crème: CREME and ice. 東京都 x1y2', 'Desserts')
  at.create('More creme', 'Desserts again')
  at.store.searchIndex.write(100)
  expect(words(at)).toEqual(['again', 'creme', 'desserts', 'more', 'x1y2'])
})

test('a database from before finds inside of words once its documents had their turn, at once what is new', () => {
  const file = path.join(testFolder(), 'galley.db')
  const old = openDatabase({ file, migrations: migrations.slice(0, 10) })
  old.exec("INSERT INTO users (id, name, created_at) VALUES ('u', 'Owner', 0)")
  for (let i = 1; i <= 50; i++)
    old.exec(`
      INSERT INTO documents (number, id, owner_id, title, revision, indexed, hash, created_at, updated_at, content)
      VALUES (${i}, 'd${i}', 'u', '${i}', 1, 1, 0, 0, 0, 'A harbour and word${i}');
      INSERT INTO documents_fts (rowid, title, content) VALUES (${i}, '${i}', 'A harbour and word${i}');`)
  old.close()
  const at = testStore({ file })
  expect([search(at, 'harbour').length, search(at, 'arbour').length]).toEqual([50, 0])
  at.store.searchIndex.soon()
  at.store.deferred.now()
  expect(search(at, 'arbour')).toHaveLength(50)
  expect(search(at, 'ord50')).toEqual(['50'])
  expect(at.store.db.prepare('SELECT count(*) FROM search_words_due').pluck().get()).toBe(0)
})

test('what is left of it goes on after the next start, and nobody waits for it at the end', () => {
  const file = path.join(testFolder(), 'galley.db')
  const old = openDatabase({ file, migrations: migrations.slice(0, 10) })
  old.exec(`
    INSERT INTO users (id, name, created_at) VALUES ('u', 'Owner', 0);
    INSERT INTO documents (number, id, owner_id, title, revision, indexed, hash, created_at, updated_at, content)
    VALUES (1, 'd', 'u', 'One', 1, 1, 0, 0, 0, 'A harbour');
    INSERT INTO documents_fts (rowid, title, content) VALUES (1, 'One', 'A harbour');`)
  old.close()
  const first = testStore({ file })
  first.store.searchIndex.soon()
  first.store.close()
  const db = new Database(file, { readonly: true })
  expect(db.prepare('SELECT document FROM search_words_due').pluck().all()).toEqual([1])
  db.close()
  const second = testStore({ file })
  second.store.searchIndex.soon()
  second.store.deferred.now()
  expect(search(second, 'arbour')).toEqual(['One'])
})

test('words that no text has any more are forgotten after a document is deleted', () => {
  const at = testStore()
  for (let i = 0; i < 1_000; i++) at.create(`unique${i} common`, `${i}`)
  const gone = at.create('secretword common', 'Gone')
  while (at.store.searchIndex.write(100));
  expect(words(at)).toContain('secretword')
  at.store.transaction(() => at.store.documents.delete(gone))
  at.store.searchIndex.soon()
  at.store.deferred.now()
  expect(words(at)).not.toContain('secretword')
  expect(words(at)).toHaveLength(1_001)
  expect(search(at, 'nique999')).toEqual(['999'])
  // The words and the index of their letters are one.
  expect(at.store.db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
})

test('made-up words take a bounded room, in one text and in all', () => {
  const at = testStore()
  const random = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `w${(from + i).toString(36).padStart(7, 'q')}`).join(' ')
  at.create(random(0, 50_000), 'Noise')
  at.store.searchIndex.write(100)
  expect(words(at)).toHaveLength(20_000)
  expect(search(at, 'qqqqq1').length).toBe(1)

  const small = testStore()
  const { store } = small
  const few = searchWordStore(store.db, store.deferred, {
    textOf: () => ({ title: '', content: '' }),
    afterCommit: store.afterCommit,
    most: 100,
  })
  store.transaction(() => few.add(random(0, 80)))
  store.transaction(() => few.add(random(80, 150)))
  expect(words(small)).toHaveLength(100)
  // No text has any of these, so there is room again.
  store.deferred.now()
  store.transaction(() => few.add('harbour'))
  expect(words(small)).toEqual(['harbour'])
  expect(insideWords(store.db)('arbou', 10)).toEqual(['harbour'])
})

test('a transaction that is undone takes its words along', () => {
  const at = testStore()
  at.create('harbour', 'One')
  expect(() =>
    at.store.transaction(() => {
      at.store.searchIndex.write(100)
      throw new Error('undone')
    }),
  ).toThrow('undone')
  expect(words(at)).toEqual([])
  at.store.searchIndex.write(100)
  expect(words(at)).toEqual(['harbour'])
})

test('restoring a backup leads to none that is gone', () => {
  const folder = testFolder()
  const at = testStore({ file: path.join(folder, 'galley.db') })
  at.create('a harbour', 'Kept')
  at.store.searchIndex.write(100)
  const backup = path.join(folder, 'backup.db')
  at.store.db.prepare('VACUUM INTO ?').run(backup)
  at.create('a lighthouse', 'Later')
  at.store.searchIndex.write(100)
  const copy = path.join(folder, 'copy.db')
  readBackup(backup, copy)
  replaceAll(at.store.db, copy)
  removeCopy(copy)
  expect([search(at, 'arbour'), search(at, 'ighthous')]).toEqual([['Kept'], []])
  at.store.searchIndex.sweepWords()
  expect([search(at, 'arbour'), search(at, 'ighthous')]).toEqual([['Kept'], []])
  expect(words(at)).toEqual(['harbour', 'kept'])
  expect(at.store.db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
})

test('whatever is looked for, and however much of it, is no fault', () => {
  const at = testStore()
  at.create('harbour '.repeat(10), 'One')
  at.store.searchIndex.write(100)
  for (const query of [
    '"""',
    "ar'bour",
    'ar*',
    'arb"our',
    'NEAR',
    'NOT',
    `${'arb our '.repeat(40)}x`,
    'a\0rb',
  ])
    expect(search(at, query).length).toBeLessThanOrEqual(1)
})
