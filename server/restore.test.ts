import Database from 'better-sqlite3'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { restoreFrom } from './restore.ts'
import { checkDatabase } from './store/check.ts'
import { openStore } from './store/store.ts'
import { testStore } from './store/testing/store.ts'
import { runProcess, startServer, testFolder } from './testing/cli.ts'

/** Every row of every table, but for what is made anew of documents. */
function rowsOf(file: string) {
  const db = new Database(file, { readonly: true })
  try {
    const tables = db
      .prepare<[], string>(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_%' ORDER BY name",
      )
      .pluck()
      .all()
    return Object.fromEntries(
      tables.map((table) => {
        const columns = db
          .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
          .pluck()
          .all(table)
          .filter((column) => column !== 'indexed')
        const order = columns.map((column) => `"${column}"`).join(', ')
        return [table, db.prepare(`SELECT ${order} FROM "${table}" ORDER BY ${order}`).all()]
      }),
    )
  } finally {
    db.close()
  }
}

test('what is written while the present state is copied is kept, to the row', async () => {
  const folder = testFolder()
  const file = path.join(folder, 'galley.db')
  const at = testStore({ file })
  const { store, author } = at
  const first = at.create('first')
  const gone = at.create('gone')
  const backup = path.join(folder, 'backup.db')
  store.db.prepare('VACUUM INTO ?').run(backup)
  store.searchIndex.write(10)

  let written: ReturnType<typeof rowsOf> | undefined
  const restored = await restoreFrom(folder, backup, {
    onProgress() {
      if (written) return
      // As a server does, and its background work with it.
      at.edit(first.id, 'edited')
      at.edit(first.id, 'edited again', { informed: false })
      const late = at.create('written late')
      const thread = { parentId: null, anchor: null, range: null }
      store.comments.create(late.number, author, { body: 'Hm', ...thread })
      store.shareLinks.create(late.number, at.owner.id, { permission: 'edit', label: null, expiresAt: null })
      store.transaction(() => store.documents.delete(gone))
      store.searchIndex.write(10)
      at.create('not in the index yet')
      store.db.pragma('wal_checkpoint(PASSIVE)')
      written = rowsOf(file)
    },
  })
  expect(store.documents.list(at.owner.id, 10, 0)).toHaveLength(2)
  expect(rowsOf(restored.kept!)).toEqual(written)
  expect(readdirSync(path.join(folder, 'backups'))).toEqual([path.basename(restored.kept!)])
  const kept = testStore({ file: restored.kept! }).store
  expect(checkDatabase(kept.db).findings).toEqual([])
  const found = (query: string) =>
    kept.search.find({ owner: at.owner.id, query, limit: 10, offset: 0 }).map(({ id }) => id)
  expect([found('edited'), found('late').length, found('gone')]).toEqual([[first.id], 1, []])
  kept.searchIndex.write(10)
  expect([found('edited'), found('first'), found('late').length, found('gone')]).toEqual([
    [first.id],
    [],
    1,
    [],
  ])
  expect(checkDatabase(kept.db).findings).toEqual([])
  expect(checkDatabase(store.db).findings).toEqual([])

  // And back again.
  await restoreFrom(folder, restored.kept!)
  expect(store.documents.find(first.id)?.text.whole).toBe('edited again')
  expect(store.search.find({ owner: at.owner.id, query: 'late', limit: 10, offset: 0 })).toHaveLength(1)
  expect(checkDatabase(store.db).findings).toEqual([])
})

test(
  'beside a server no acknowledged write is lost, and every save is answered',
  { timeout: 120_000 },
  async () => {
    const folder = testFolder()
    const file = path.join(folder, 'galley.db')
    const before = testStore({ file })
    before.store.transaction(() => {
      for (let i = 0; i < 150; i++)
        before.store.documents.create(
          before.owner.id,
          { title: `${i}`, content: `${i} ${'a sentence of some words. '.repeat(2_000)}` },
          before.author,
        )
    })
    // In the backup too, so that writing goes on while everything is indexed anew.
    const { key } = before.store.apiKeys.create(before.owner.id, {
      name: 'test',
      access: 'full',
      expiresAt: null,
    })
    const backup = path.join(folder, 'backup.db')
    before.store.db.prepare('VACUUM INTO ?').run(backup)
    before.store.close()
    const { url } = await startServer(folder)
    const acknowledged = new Set<string>()
    const refused: number[] = []
    let going = true
    const write = async () => {
      while (going) {
        const response = await fetch(`${url}/api/documents`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: '{"content":"saved meanwhile"}',
        })
        const { data } = (await response.json()) as { data: { id: string } | null }
        if (data) acknowledged.add(data.id)
        else refused.push(response.status)
      }
    }
    const writing = [write(), write()]
    while (acknowledged.size < 5) await new Promise((resolve) => setTimeout(resolve, 20))
    const done = await runProcess(['restore', backup, '--data', folder])
    expect([done.code, done.error]).toEqual([0, ''])
    going = false
    await Promise.all(writing)
    expect(refused).toEqual([])
    const [kept] = readdirSync(path.join(folder, 'backups')).filter((name) =>
      name.startsWith('before-restore'),
    )
    const found = new Set<string>()
    for (const one of [file, path.join(folder, 'backups', kept!)]) {
      const store = openStore({ file: one })
      for (const id of store.documents.listIds(before.owner.id)) found.add(id)
      store.close()
    }
    expect([...acknowledged].filter((id) => !found.has(id))).toEqual([])
  },
)
