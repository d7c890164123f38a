import path from 'node:path'
import { expect, test } from 'vitest'
import { chooseColour } from '../domain/choose-colour.ts'
import { openDatabase } from './database.ts'
import { migrations } from './migrations/index.ts'
import { openStore } from './store.ts'
import { testFolder, testStore } from './testing/store.ts'

const ada = { id: null, name: 'Ada', key: 'guest:a' }
const ben = { id: null, name: 'Ben', key: 'guest:b' }
const said = { body: 'Hm.', parentId: null, anchor: null, range: null }

test('people have their colours after a restart', () => {
  const file = path.join(testFolder(), 'galley.db')
  const colours = () => {
    const store = openStore({ file })
    const owner = store.users.owner()
    const [document] = store.documents.listIds(owner.id)
    if (document === undefined)
      store.transaction(() => {
        const author = { id: owner.id, name: owner.name, key: 'session:s' }
        const { number } = store.documents.create(owner.id, { title: 'T', content: 'Text' }, author)
        for (const one of [ben, author, ada]) store.comments.create(number, one, said)
      })
    const all = store.comments.list(1).map(({ colour }) => colour)
    store.close()
    return all
  }
  const before = colours()
  expect(new Set(before).size).toBe(3)
  expect(before[1]).toBe(0)
  expect(colours()).toEqual(before)
})

test('people of an older database have colours, and those whose suggestions were accepted are found', () => {
  const file = path.join(testFolder(), 'galley.db')
  const old = openDatabase({ file, migrations: migrations.slice(0, 40) })
  old.exec(`
    INSERT INTO users (id, name, created_at) VALUES ('u', 'Owner', 0);
    INSERT INTO documents (id, owner_id, title, revision, hash, created_at, updated_at, length, logged)
    VALUES ('d', 'u', 'T', 2, 0, 0, 0, 1, 0);
    INSERT INTO comments (id, document, author_id, author_key, author_name, created_at, updated_at, body)
    VALUES ('c', 1, NULL, 'guest:b', 'Ben', 2, 2, 'Hm'), ('o', 1, 'u', 'session:s', 'Owner', 1, 1, 'Hm'), ('k', 1, 'u', 'key:k', 'Owner', 3, 3, 'Hm');
    INSERT INTO suggestions (id, document, author_key, author_name, created_at, original_text, suggested_text, status, decided_revision)
    VALUES ('s', 1, 'guest:a', 'Ada', 4, 'a', 'b', 'accepted', 2);
    INSERT INTO versions (document, revision, title, kind, author_id, author_name, author_key, started_at, created_at, size, added, removed, is_open, suggested_by)
    VALUES (1, 2, 'T', 'suggestion', 'u', 'Owner', 'session:s', 5, 5, 1, 1, 1, 0, '[{"name":"Ada","guest":true}]');
  `)
  old.close()
  const store = openStore({ file })
  const { colours } = store
  const found = ['user u', 'guest:a', 'guest:b', 'key:k'].map((one) => colours.findPerson(1, one))
  expect(found[0]).toBe(0)
  expect(new Set(found).size).toBe(4)
  expect(store.versions.find(1, 2)!.suggesters).toEqual([
    { name: 'Ada', guest: true, person: 'guest:a', colour: found[1] },
  ])
  store.close()
})

test('a colour is chosen by those whom all may know of first, and then by all', () => {
  const seen = (colour: number) => ({ colour, isSeen: true })
  const hidden = (colour: number) => ({ colour, isSeen: false })
  const chosen = (used: Parameters<typeof chooseColour>[0]) =>
    new Set(Array.from({ length: 50 }, (_, i) => chooseColour(used, () => i / 50)))
  expect(chosen([])).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]))
  expect(chosen([1, 2, 3].map(seen))).toEqual(new Set([4, 5, 6, 7]))
  expect(chosen([...[1, 2, 3].map(seen), ...[4, 5].map(hidden)])).toEqual(new Set([6, 7]))
  expect(chosen([...[1, 2, 3].map(seen), ...[4, 5, 6, 7].map(hidden)])).toEqual(new Set([4, 5, 6, 7]))
  expect(chosen([...[1, 2, 3, 4, 5, 6, 7].map(seen), hidden(1)])).toEqual(new Set([2, 3, 4, 5, 6, 7]))
})

test('a name that a file gave goes with the words that bear it, and no sooner', () => {
  const at = testStore()
  const { store } = at
  const { number } = at.create('A text')
  const zed = { id: null, name: 'Zed', key: 'import' }
  const { id } = store.comments.create(number, zed, said)
  const known = () => store.colours.findPerson(number, 'import  Zed') !== undefined
  store.transaction(() => store.colours.letGo(number))
  expect(known()).toBe(true)
  store.db.prepare("UPDATE comments SET author_name = '…' WHERE id = ?").run(id)
  store.transaction(() => store.colours.letGo(number))
  expect(known()).toBe(false)
})
