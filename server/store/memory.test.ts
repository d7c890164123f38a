import Database from 'better-sqlite3'
import path from 'node:path'
import { expect, test } from 'vitest'
import { nextTurn, testFolder, testStore } from './testing/store.ts'

/** A lookup among the users that counts how often it asks the database. */
function counted(at: ReturnType<typeof testStore>) {
  const remembered = at.store.memory.lookup<{ id: string; name: string }>(['users'])
  const asked = { times: 0 }
  const find = (id: string) =>
    remembered(id, () => {
      asked.times += 1
      return at.store.users.find(id)
    })
  return { asked, find }
}

test('what was found once isn’t looked up again as long as nothing is written', () => {
  const at = testStore()
  const { asked, find } = counted(at)
  expect([find(at.owner.id), find(at.owner.id), find(at.owner.id)]).toEqual([at.owner, at.owner, at.owner])
  expect(asked.times).toBe(1)
})

test('anything written by the same connection is seen at once', () => {
  const at = testStore()
  const { find } = counted(at)
  find(at.owner.id)
  at.store.users.update(at.owner.id, { name: 'Another name' })
  expect(find(at.owner.id)!.name).toBe('Another name')
  at.store.db.prepare('DELETE FROM users').run()
  expect(find(at.owner.id)).toBeUndefined()
})

test('anything written by another process is seen in the next turn', async () => {
  const file = path.join(testFolder(), 'galley.db')
  const at = testStore({ file })
  const { find } = counted(at)
  const other = new Database(file)
  expect(find(at.owner.id)).toBeDefined()
  other.prepare('UPDATE users SET name = ?').run('Another name')
  await nextTurn()
  expect(find(at.owner.id)!.name).toBe('Another name')
  other.prepare('DELETE FROM users').run()
  await nextTurn()
  expect(find(at.owner.id)).toBeUndefined()
  other.close()
})

test('what a transaction read is forgotten with it when it is undone', () => {
  const at = testStore()
  const { find } = counted(at)
  let id = ''
  const undone = () =>
    at.store.transaction(() => {
      id = at.store.users.create('Never').id
      expect(find(id)).toBeDefined()
      throw new Error('undone')
    })
  expect(undone).toThrow('undone')
  expect(find(id)).toBeUndefined()
})

test('what is written to other tables makes nothing forgotten', () => {
  const at = testStore()
  const { asked, find } = counted(at)
  find(at.owner.id)
  at.edit(at.create('a').id, 'b')
  find(at.owner.id)
  expect(asked.times).toBe(1)
})

test('in a transaction, too, it is remembered, and seen as it is written there', () => {
  const at = testStore()
  const { asked, find } = counted(at)
  const name = () => find(at.owner.id)!.name
  const rename = (to: string) => at.store.users.update(at.owner.id, { name: to })
  at.store.transaction(() => {
    expect([name(), name(), asked.times]).toEqual(['Owner', 'Owner', 1])
    rename('A')
    expect([name(), name(), asked.times]).toEqual(['A', 'A', 2])
    const part = () =>
      at.store.transaction(() => {
        rename('B')
        expect(name()).toBe('B')
        throw new Error('undone')
      })
    expect(part).toThrow('undone')
    expect(name()).toBe('A')
  })
  expect([name(), asked.times]).toEqual(['A', 4])
})

test('a transaction sees what another process has written just before it', () => {
  const file = path.join(testFolder(), 'galley.db')
  const at = testStore({ file })
  const { find } = counted(at)
  const other = new Database(file)
  expect(find(at.owner.id)!.name).toBe('Owner')
  other.prepare('UPDATE users SET name = ?').run('Another name')
  at.store.transaction(() => expect(find(at.owner.id)!.name).toBe('Another name'))
  other.close()
})

test('a document is known after each change as the database has it, and after one that is undone', () => {
  const at = testStore()
  const { id, number } = at.create('a')
  const read = at.store.db.prepare('SELECT * FROM documents WHERE number = ?')
  const expectKnown = () => {
    const { text, ...known } = at.get(id)
    expect({ ...known, length: text.length }).toEqual(read.get(number))
  }
  at.get(id)
  for (const content of ['b', '', 'much longer']) {
    at.edit(id, content)
    expectKnown()
  }
  at.store.searchIndex.write(1)
  expectKnown()
  at.edit(id, 'after the index', { title: 'Another' })
  expectKnown()
  const undone = () =>
    at.store.transaction(() => {
      at.edit(id, 'never')
      throw new Error('undone')
    })
  expect(undone).toThrow('undone')
  expectKnown()
  expect(at.get(id).text.whole).toBe('after the index')
})

test('what wasn’t found isn’t kept', () => {
  const at = testStore()
  const { asked, find } = counted(at)
  find('nobody')
  find('nobody')
  expect(asked.times).toBe(2)
})

test('keys, links and sessions end at once when another process ends them', async () => {
  const file = path.join(testFolder(), 'galley.db')
  const { store, owner, author } = testStore({ file })
  const document = store.documents.create(owner.id, { title: 'A', content: 'a' }, author)
  const { key } = store.apiKeys.create(owner.id, { name: 'k', access: 'full', expiresAt: null })
  const { token } = store.shareLinks.create(document.number, owner.id, {
    permission: 'edit',
    label: null,
    expiresAt: null,
  })
  const { secret } = store.sessions.exchange(store.signInLinks.createTicket(owner.id))!
  const all = () => [
    store.apiKeys.findValid(key),
    store.shareLinks.findValid(token),
    store.sessions.findValid(secret),
  ]
  const other = new Database(file)
  for (let round = 0; round < 2; round++) expect(all()).not.toContain(undefined)
  for (const [at, table] of ['api_keys', 'share_links', 'sessions'].entries()) {
    other.prepare(`DELETE FROM ${table}`).run()
    await nextTurn()
    expect(all().map((one) => one === undefined)).toEqual([0, 1, 2].map((other) => other <= at))
  }
  other.close()
})
