import path from 'node:path'
import { expect, test } from 'vitest'
import type { EventKind } from '../contract/events.ts'
import { backUp, openKept } from './backup.ts'
import { checkDatabase } from './check.ts'
import { replaceAll } from './restored-rows.ts'
import { testFolder, testStore } from './testing/store.ts'

async function copiedLibrary() {
  const folder = testFolder()
  const file = path.join(folder, 'galley.db')
  const at = testStore({ file })
  const documents = ['one', 'two', 'three'].map((text) => at.create(text))
  const { store, owner } = at
  const happens = (kind: EventKind, document: { id: string; revision: number }) =>
    store.events.append({
      at: store.now(),
      kind,
      ownerId: owner.id,
      documentId: document.id,
      revision: document.revision,
      subjectId: null,
      suggestionId: null,
      principal: { kind: 'owner', name: 'Ada', id: owner.id },
    })
  for (const one of documents) store.transaction(() => happens('document.created', one))
  const backup = path.join(folder, 'backup.db')
  store.db.prepare('VACUUM INTO ?').run(backup)
  return { ...at, folder, file, backup, documents, happens }
}

test('a copy takes in what has changed without its document’s row', async () => {
  const { store, folder, file, author, documents, create, edit, happens } = await copiedLibrary()
  const [first, second, last] = documents as [
    (typeof documents)[0],
    (typeof documents)[0],
    (typeof documents)[0],
  ]
  const guest = { ...author, id: null, key: 'guest:1', name: 'Bob' }
  edit(first.id, 'one by Bob', { by: guest })
  const copy = path.join(folder, 'kept.db')
  await backUp(store.db, copy)
  const kept = openKept(copy, file)
  const inCopy = (sql: string) => testStore({ file: copy }).store.db.prepare(sql).pluck().all()

  // An event alone tells.
  store.transaction(() => {
    const [row] = store.guests.list(first.number)
    store.guests.change(first.number, row!, { name: 'Rob' })
    happens('guest.changed', first)
  })
  kept.bringUpToDate()
  expect(inCopy(`SELECT author_name FROM changes WHERE author_key = 'guest:1'`)).toEqual(['Rob'])

  // A kept text that nobody needs has gone, and its place in the table is another's, whose words stand nowhere else.
  store.db.prepare('DELETE FROM keyframes WHERE document = ?').run(last.number)
  const late = create('late')
  kept.bringUpToDate()
  expect(inCopy(`SELECT content FROM keyframes WHERE document = ${late.number}`)).toEqual(['late'])

  // What is said of one document that has its past forgotten may stand anywhere.
  store.transaction(() => {
    store.db.exec("UPDATE events SET principal_name = 'somebody'")
    store.db.prepare("UPDATE versions SET title = 'else' WHERE document = ?").run(second.number)
    happens('version.forgotten', first)
  })
  kept.bringUpToDate()
  expect(inCopy("SELECT count(*) FROM events WHERE principal_name = 'somebody'")).toEqual([4])
  expect(inCopy("SELECT document FROM versions WHERE title = 'else'")).toEqual([second.number])

  // The one that would have told of it is gone, as where the clock was set on.
  const named = (name: string) =>
    store.db.prepare('UPDATE versions SET name = ? WHERE document = ?').run(name, second.number)
  store.transaction(() => {
    named('sent')
    happens('version.named', second)
  })
  happens('document.changed', first)
  store.db.exec('DELETE FROM events WHERE seq < (SELECT max(seq) FROM events)')
  kept.bringUpToDate()
  expect(inCopy('SELECT name FROM versions WHERE name IS NOT NULL')).toEqual(['sent'])
  expect(inCopy('SELECT count(*) FROM events')).toEqual([1])
  kept.close()
})

test('a kept text that came while nobody looked goes with the text it was of', async () => {
  const { store, folder, backup, documents, edit, get } = await copiedLibrary()
  const { id, number } = documents[0]!
  edit(id, 'changed since')
  const newest = () =>
    store.db.prepare('SELECT max(revision) FROM keyframes WHERE document = ?').pluck().get(number)
  expect(newest()).toBe(1)
  const copy = path.join(folder, 'kept.db')
  await backUp(store.db, copy)
  const restorer = testStore({ file: path.join(folder, 'galley.db') }).store
  let isAsked = false
  replaceAll(restorer.db, backup, {
    copy: {
      file: copy,
      bringUpToDate: () => {
        throw new Error('nothing has changed that is told of')
      },
    },
    hasChanged() {
      if (!isAsked) store.deferred.now()
      isAsked ||= newest() === 2
      return false
    },
  })
  expect(isAsked).toBe(true)
  expect(testStore({ file: path.join(folder, 'galley.db') }).get(id).text.whole).toBe('one')
  expect(get(id).text.whole).toBe('one')
  expect(store.db.prepare('SELECT revision FROM keyframes WHERE document = ?').pluck().all(number)).toEqual([
    1,
  ])
  expect(checkDatabase(store.db).findings).toEqual([])
})
