import Database from 'better-sqlite3'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDeferredWrites } from './deferred-writes.ts'
import { createSharedCommit } from './shared-commit.ts'
import { testFolder, testStore } from './testing/store.ts'

/** A store, and another program beside it that can hold the database. */
function beside() {
  const file = path.join(testFolder(), 'galley.db')
  const troubles: string[] = []
  const at = testStore({
    file,
    onDeferredTrouble: (error, name) =>
      troubles.push(`${name}: ${error === null ? 'over' : (error as { code: string }).code}`),
  })
  at.store.setBusyTimeout(0)
  const holder = new Database(file)
  onTestFinished(() => void holder.close())
  return { ...at, holder, troubles }
}

test('what is read by a link, a key or a session is noted at once and written later', () => {
  const at = beside()
  const { number } = at.create('text')
  const { store } = at
  const link = store.shareLinks.create(number, at.owner.id, {
    permission: 'view',
    label: null,
    expiresAt: null,
  })
  const { key } = store.apiKeys.create(at.owner.id, { name: 'CI', access: 'full', expiresAt: null })
  const session = store.sessions.exchange(store.signInLinks.createTicket(at.owner.id))!.secret
  at.clock.at += 2 * 60 * 60_000
  at.holder.exec('BEGIN IMMEDIATE')
  expect(store.shareLinks.findValid(link.token)?.id).toBe(link.id)
  expect(store.apiKeys.findValid(key)?.user.id).toBe(at.owner.id)
  expect(store.sessions.findValid(session)?.user.id).toBe(at.owner.id)
  store.deferred.now()
  const uses = () =>
    ['share_links', 'api_keys', 'sessions'].map((table) =>
      store.db.prepare(`SELECT last_used_at FROM ${table}`).pluck().get(),
    )
  expect(uses()).toEqual([null, null, at.clock.at - 2 * 60 * 60_000])
  expect(store.shareLinks.list(number)[0]!.last_used_at).toBe(at.clock.at)
  expect(store.apiKeys.list(at.owner.id)[0]!.last_used_at).toBe(at.clock.at)

  at.holder.exec('ROLLBACK')
  store.deferred.now()
  expect(uses()).toEqual([at.clock.at, at.clock.at, at.clock.at])
})

test('trouble is told once, and that it is over', () => {
  const at = beside()
  const values = at.store.deferred.addValues<string>('names', (key, value) => {
    at.store.db.prepare('UPDATE users SET name = ?').run(`${key} ${value}`)
  })
  at.holder.exec('BEGIN IMMEDIATE')
  values.put('Ada', 'L.')
  for (let i = 0; i < 3; i++) values.now()
  expect(at.troubles).toEqual(['names: SQLITE_BUSY'])
  at.holder.exec('ROLLBACK')
  values.now()
  expect(at.troubles).toEqual(['names: SQLITE_BUSY', 'names: over'])
  expect(at.store.users.owner().name).toBe('Ada L.')
})

test('one that fails for ever keeps no other from being written, nor a database from being closed', () => {
  const at = beside()
  const broken = at.store.deferred.addValues<number>('broken', () => {
    throw new TypeError('a bug')
  })
  broken.put('a', 1)
  at.store.searchIndex.soon()
  at.create('words')
  at.store.deferred.now()
  expect(at.store.db.prepare('SELECT count(*) FROM documents WHERE indexed = 0').pluck().get()).toBe(0)
  expect(() => at.store.close()).not.toThrow()
})

test('nothing is written twice or forgotten, and of one key only the newest', () => {
  const at = beside()
  const written: string[] = []
  const values = at.store.deferred.addValues<string>('notes', (key, value) => {
    written.push(`${key}${value}`)
    if (key === 'c' && value === '1') throw new Error('once')
  })
  for (const [key, value] of ['a1', 'b1', 'a2', 'c1'].map((both) => both.split('') as [string, string]))
    values.put(key, value)
  values.now()
  expect(values.find('a')).toBe('2')
  written.length = 0
  values.put('c', '2')
  values.now()
  values.now()
  expect(written).toEqual(['b1', 'a2', 'c2'])
  expect(values.find('a')).toBeUndefined()
})

test('where nothing can be written for long, the oldest make room', () => {
  const at = beside()
  const values = at.store.deferred.addValues<string>('pages', () => {}, {
    most: 10,
    weigh: (page) => page.length,
  })
  for (const key of ['a', 'b', 'c', 'd']) values.put(key, '1234')
  expect(['a', 'b', 'c', 'd'].map((key) => values.find(key))).toEqual([undefined, undefined, '1234', '1234'])
  values.put('huge', '12345678901')
  expect(values.find('huge')).toBeUndefined()
})

test('a search sees what was just written, while nothing can be', () => {
  const at = beside()
  const { id } = at.create('alpha beta', 'One')
  at.create('alpha gamma', 'Two')
  at.store.deferred.now()
  at.store.searchIndex.write(10)
  at.edit(id, 'delta beta')
  at.holder.exec('BEGIN IMMEDIATE')
  const found = (query: string) =>
    at.store.search
      .find({ owner: at.owner.id, query, limit: 10, offset: 0 })
      .map(({ title, snippet }) => [title, snippet.length > 0])
  expect(found('alpha')).toEqual([['Two', true]])
  expect(found('delta')).toEqual([['One', true]])
  expect(found('beta')).toEqual([['One', true]])
  at.holder.exec('ROLLBACK')
  at.store.searchIndex.write(10)
  expect(found('delta')).toEqual([['One', true]])
  expect(found('alpha')).toEqual([['Two', true]])
})

test('a session that can’t be written yet is as good as any, and ends when it is told to', () => {
  const at = beside()
  at.holder.exec('BEGIN IMMEDIATE')
  const secret = at.store.sessions.create(at.owner.id)
  const session = at.store.sessions.findValid(secret)
  expect(session?.user.id).toBe(at.owner.id)
  at.holder.exec('ROLLBACK')
  const other = at.store.sessions.create(at.owner.id)
  at.store.deferred.now()
  expect(at.store.sessions.findValid(other)?.user.id).toBe(at.owner.id)
  at.store.sessions.delete(session!.digest)
  expect(at.store.sessions.findValid(secret)).toBeUndefined()
  expect(at.store.sessions.findValid(other)).toBeDefined()
})

describe('what can wait', () => {
  /** Counts commits, and writes values where they can be seen. */
  function counted() {
    let commits = 0
    const at = testStore({ onCommitted: () => void commits++ })
    const { store } = at
    store.db.exec('CREATE TABLE written (value TEXT PRIMARY KEY)')
    const insert = store.db.prepare('INSERT INTO written (value) VALUES (?)')
    const written = () => store.db.prepare<[], string>('SELECT value FROM written').pluck().all()
    return { ...at, insert, written, commits: () => commits }
  }

  test('is written together, by the one writer', async () => {
    const { store, insert, written, commits } = counted()
    // By a clock that stands still one commit takes in whatever is due, however slow the machine is.
    const writer = createSharedCommit({ db: store.db, transaction: store.transaction, now: () => 0 })
    const deferred = createDeferredWrites({ writer, afterCommit: store.afterCommit })
    const names = ['a', 'b', 'c']
    const before = commits()
    for (const name of names) {
      const job = () => {
        insert.run(name)
        return false
      }
      deferred.add(name, job, { delay: 5 }).soon()
    }
    // However slow the machine is, all are due in the same turn.
    const due = performance.now() + 10
    while (performance.now() < due);
    await expect.poll(written, { timeout: 10_000 }).toEqual(names)
    expect(commits() - before).toBe(1)
  })

  test('lets whoever is waited for go first', async () => {
    const { store, insert, written } = counted()
    const order: string[] = []
    const slices = ['1', '2', '3']
    const job = store.deferred.add(
      'slices',
      () => {
        const slice = slices.shift()!
        insert.run(slice)
        order.push(slice)
        // Who comes during a slice comes before the next one.
        void store.write(() => order.push(`write after ${slice}`))
        return slices.length > 0
      },
      { delay: 1, resumes: true },
    )
    job.soon()
    await expect.poll(written, { timeout: 10_000 }).toEqual(['1', '2', '3'])
    await expect.poll(() => order.length, { timeout: 10_000 }).toBe(6)
    expect(order).toEqual(['1', 'write after 1', '2', 'write after 2', '3', 'write after 3'])
  })

  test('has its turn, however many write', async () => {
    const { store, insert, written } = counted()
    const job = () => {
      insert.run('a')
      return false
    }
    store.deferred.add('a', job, { delay: 1 }).soon()
    const isWritten = () => written().includes('a')
    while (!isWritten()) await store.write(() => {})
    expect(written()).toEqual(['a'])
  })

  test('goes with another’s commit if it is small, and is not written again', async () => {
    const { store, insert, commits } = counted()
    const times: string[] = []
    const values = store.deferred.addValues<string>('small', (key, value) => times.push(`${key} ${value}`), {
      small: true,
      delay: 60_000,
    })
    values.put('a', '1')
    const before = commits()
    await store.write(() => insert.run('others'))
    expect(times).toEqual(['a 1'])
    expect(values.find('a')).toBeUndefined()
    expect(commits() - before).toBe(1)
    await store.write(() => insert.run('others again'))
    expect(times).toEqual(['a 1'])
  })

  test('harms no write that it goes with', async () => {
    const { store, insert, written } = counted()
    const broken = store.deferred.addValues<string>(
      'broken',
      (key) => {
        insert.run(key)
        throw new Error('a bug')
      },
      { small: true, delay: 60_000 },
    )
    broken.put('a', '1')
    await store.write(() => insert.run('others'))
    expect(written()).toEqual(['others'])
    expect(broken.find('a')).toBe('1')
  })

  test('is tried again where the commit that it went with failed', async () => {
    const { store, insert, written } = counted()
    store.db.exec('CREATE TABLE later (of TEXT REFERENCES written (value) DEFERRABLE INITIALLY DEFERRED)')
    const values = store.deferred.addValues<string>('small', (key) => void insert.run(key), {
      small: true,
      delay: 20,
    })
    values.put('a', '1')
    await expect(store.write(() => store.db.exec(`INSERT INTO later VALUES ('nothing')`))).rejects.toThrow()
    expect(values.find('a')).toBe('1')
    await expect.poll(written, { timeout: 10_000 }).toEqual(['a'])
    expect(values.find('a')).toBeUndefined()
  })

  test('is written even if something else that can wait breaks the commit', async () => {
    const { store, insert, written } = counted()
    store.db.exec('CREATE TABLE later (of TEXT REFERENCES written (value) DEFERRABLE INITIALLY DEFERRED)')
    const breaking = () => {
      store.db.exec(`INSERT INTO later VALUES ('nothing')`)
      return false
    }
    const sound = () => {
      if (!written().includes('a')) insert.run('a')
      return false
    }
    store.deferred.add('breaking', breaking, { delay: 5 }).soon()
    store.deferred.add('sound', sound, { delay: 5 }).soon()
    await expect.poll(written, { timeout: 10_000 }).toEqual(['a'])
  })
})
