import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { CommitFailed, createSharedCommit } from './shared-commit.ts'
import { testStore } from './testing/store.ts'

function setUp() {
  let commits = 0
  const { store, owner, author } = testStore({ onCommitted: () => void commits++ })
  store.db.exec('CREATE TABLE written (value INTEGER PRIMARY KEY)')
  const insert = store.db.prepare('INSERT INTO written (value) VALUES (?)')
  const written = () => store.db.prepare<[], number>('SELECT value FROM written').pluck().all()
  return { store, owner, author, insert, written, commits: () => commits }
}

test('writes that arrive together share a commit, and are answered after it', async () => {
  const { store, insert, written, commits } = setUp()
  const before = commits()
  const answers = [1, 2, 3].map((value) =>
    store.write(() => {
      insert.run(value)
      return value
    }),
  )
  expect(written()).toEqual([])
  expect(await Promise.all(answers)).toEqual([1, 2, 3])
  expect(written()).toEqual([1, 2, 3])
  expect(commits() - before).toBe(1)
})

test('one that fails leaves the others alone, and what it wanted done after the commit is not done', async () => {
  const { store, insert, written } = setUp()
  const done: string[] = []
  const answers = await Promise.allSettled([
    store.write(() => {
      insert.run(1)
      store.afterCommit(() => done.push('first'))
    }),
    store.write(() => {
      insert.run(2)
      store.afterCommit(() => done.push('undone'))
      throw new Error('No.')
    }),
    store.write(() => {
      insert.run(3)
      store.afterCommit(() => done.push('third'))
    }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(written()).toEqual([1, 3])
  expect(done).toEqual(['first', 'third'])
})

test('one that fails alone leaves nothing, and what it has asked for is written all the same', async () => {
  const { store, insert, written } = setUp()
  let asked: Promise<unknown> | undefined
  const failing = store.write(() => {
    insert.run(1)
    asked = store.write(() => insert.run(2))
    throw new Error('No.')
  })
  await expect(failing).rejects.toThrow('No.')
  await asked
  expect(written()).toEqual([2])
})

test('what is committed is said to be, though something that follows from it fails', async () => {
  const { store, insert, written } = setUp()
  const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {})
  const done: string[] = []
  const answers = await Promise.allSettled([
    store.write(() => {
      insert.run(1)
      store.afterCommit(() => {
        throw new Error('Nobody hears of it.')
      })
      store.afterCommit(() => done.push('first'))
    }),
    store.write(() => insert.run(2)),
  ])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(done).toEqual(['first'])
  expect(written()).toEqual([1, 2])
  expect(later.mock.calls[0]![0]).toThrow('Nobody hears of it.')
  later.mockRestore()
})

test('where all have failed, nothing is committed', async () => {
  const { store, commits } = setUp()
  const before = commits()
  const fail = () => {
    throw new Error('No.')
  }
  await Promise.allSettled([store.write(fail), store.write(fail)])
  expect(commits()).toBe(before)
})

test('a commit that fails fails them all, with nothing half done', async () => {
  const { store, insert, written } = setUp()
  store.db.exec('CREATE TABLE later (of INTEGER REFERENCES written (value) DEFERRABLE INITIALLY DEFERRED)')
  const answers = await Promise.allSettled([
    store.write(() => insert.run(1)),
    store.write(() => store.db.exec('INSERT INTO later VALUES (7)')),
  ])
  for (const one of answers) expect(one).toMatchObject({ reason: expect.any(CommitFailed) as unknown })
  expect(written()).toEqual([])
  await store.write(() => insert.run(2))
  expect(written()).toEqual([2])
})

test('where SQLite undoes all of the transaction, nobody of it is told that it is written', async () => {
  const { store, insert, written } = setUp()
  const answers = await Promise.allSettled([
    store.write(() => insert.run(1)),
    store.write(() => {
      store.db.exec('ROLLBACK')
      throw new Error('undone')
    }),
    store.write(() => insert.run(3)),
  ])
  expect(answers.slice(0, 2).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(written()).toEqual(answers[2]?.status === 'fulfilled' ? [3] : [])
})

test('a long row of writes lets others have their turn', async () => {
  const { store, insert, written } = setUp()
  let clock = 0
  const shared = createSharedCommit({ db: store.db, transaction: store.transaction, now: () => (clock += 5) })
  const seen: number[] = []
  const all = Promise.all([1, 2, 3, 4, 5, 6].map((value) => shared.write(() => insert.run(value))))
  const look = () => {
    seen.push(written().length)
    if (seen.at(-1)! < 6) looking = setImmediate(look)
  }
  let looking = setImmediate(look)
  await all
  clearImmediate(looking)
  expect(seen.some((count) => count > 0 && count < 6)).toBe(true)
})

test('what waits when the store is closed is written', async () => {
  const { store, owner, author } = setUp()
  const waiting = store.write(() =>
    store.documents.create(owner.id, { title: 'One', content: 'Words' }, author),
  )
  store.close()
  expect((await waiting).title).toBe('One')
})

test('in whatever turns they arrive, each is written whole or not at all, in order', async () => {
  const step = fc.record({ fails: fc.boolean(), newTurn: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { store, insert, written } = setUp()
      const order: number[] = []
      const answers: Promise<unknown>[] = []
      for (const [value, { fails, newTurn }] of steps.entries()) {
        const answer = store.write(() => {
          insert.run(value)
          if (fails) throw new Error('No.')
          order.push(value)
        })
        answers.push(answer.catch(() => undefined))
        if (newTurn) await new Promise(setImmediate)
      }
      await Promise.all(answers)
      const wanted = [...steps.keys()].filter((value) => !steps[value]!.fails)
      expect(order).toEqual(wanted)
      expect(written()).toEqual(wanted)
      store.close()
    }),
    { numRuns: 30 },
  )
})
