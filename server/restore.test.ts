import Database from 'better-sqlite3'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { restoreFrom } from './restore.ts'
import { checkDatabase } from './store/check.ts'
import { openStore } from './store/store.ts'
import { testStore } from './store/testing/store.ts'
import { run, runProcess, startServer, testFolder } from './testing/cli.ts'

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
      // Whatever ends it now leaves nothing that looks like a backup.
      expect(readdirSync(path.join(folder, 'backups')).filter((name) => !name.startsWith('.'))).toEqual([])
      if (written) return
      // As a server does, and its background work with it.
      at.edit(first.id, 'edited')
      at.edit(first.id, 'edited again', { informed: false })
      // With its number and its length.
      store.transaction(() => store.documents.delete(gone))
      expect(at.create('else').number).toBe(gone.number)
      const late = at.create('written late')
      const thread = { parentId: null, anchor: null, range: null }
      store.comments.create(late.number, author, { body: 'Hm', ...thread })
      store.shareLinks.create(late.number, at.owner.id, { permission: 'edit', label: null, expiresAt: null })
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

test('the same backup restored once more changes nothing', async () => {
  const folder = testFolder()
  const file = path.join(folder, 'galley.db')
  const { store, create, edit, get } = testStore({ file })
  const ids = ['changed', 'deleted', 'as it was', ''].map((text) => create(text).id)
  const backup = path.join(folder, 'backup.db')
  store.db.prepare('VACUUM INTO ?').run(backup)
  edit(ids[0]!, 'changed since')
  edit(ids[3]!, 'no longer empty')
  store.transaction(() => store.documents.delete(get(ids[1]!)))
  const restore = async () => {
    await restoreFrom(folder, backup)
    // Newest texts are kept whole once they were read, and found by their log till then.
    const { events, keyframes, ...rows } = rowsOf(file)
    const needed = keyframes!.filter((row) => (row as { needed: number }).needed === 1)
    return { rows, needed, events: events!.length, isIndexed: !store.searchIndex.write(1) }
  }
  const once = await restore()
  expect(get(ids[0]!).revision).toBe(3)
  // That it was restored has happened all the same.
  expect(await restore()).toEqual({ ...once, events: once.events + 1 })
  // Whoever writes on is told from what it is restored to then.
  edit(ids[0]!, 'written since')
  await restore()
  expect(ids.map((id) => get(id).text.whole)).toEqual(['changed', 'deleted', 'as it was', ''])
  expect(get(ids[0]!).revision).toBe(5)
  expect(checkDatabase(store.db).findings).toEqual([])
})

test('what fails once everything is replaced is said, and no failure of the restore', async () => {
  const folder = testFolder()
  const { store, author, create, edit, get } = testStore({ file: path.join(folder, 'galley.db') })
  const { id, number } = create('as it was')
  const content = { type: 'image/png', sha256: 'a'.repeat(64), size: 3, width: 1, height: 1 }
  store.files.create(number, { name: 'a.png', ...content, link: null, authorKey: author.key })
  const backup = path.join(folder, 'backup.db')
  store.db.prepare('VACUUM INTO ?').run(backup)
  edit(id, 'written since')
  // As where the disk is full by then.
  store.db.exec(
    "CREATE TRIGGER full BEFORE UPDATE OF indexed ON documents WHEN new.indexed = 1 BEGIN SELECT RAISE(ABORT, 'no room'); END",
  )
  const restored = await restoreFrom(folder, backup, {
    onProgress() {
      const files = path.join(folder, 'files')
      if (readdirSync(path.join(folder, 'backups')).filter((name) => name.endsWith('.db')).length < 2) return
      rmSync(files, { recursive: true, force: true })
      writeFileSync(files, 'in the way')
    },
  })
  expect(get(id).text.whole).toBe('as it was')
  expect(existsSync(restored.kept!)).toBe(true)
  expect(restored).toMatchObject({ documents: 1, missingFiles: 1, notIndexed: 'no room.' })
  expect(restored.notLookedForFiles).toMatch(/files.*\.$/)

  rmSync(path.join(folder, 'files'))
  edit(id, 'written since', { informed: false })
  const { code, out, error } = await run('restore', backup, '--data', folder)
  expect([code, get(id).text.whole]).toEqual([0, 'as it was'])
  expect(out).toMatch(/^Restored 1 document from .*\nWhat was there before is in .*\n$/)
  expect(error).toContain(
    'galley: Everything is restored, but not all of it is in the search index yet: no room. “galley serve” and the app do the rest by themselves.\n',
  )
})

test('what a restore that was killed left is gone with the next one, a backup, and a start', async () => {
  const folder = testFolder()
  const backups = path.join(folder, 'backups')
  const backup = path.join(testFolder(), 'backup.db')
  expect((await run('key', 'create', '--name', 'x', '--data', folder)).code).toBe(0)
  const sweeping = [
    () => run('backup', backup, '--data', folder),
    () => run('restore', backup, '--data', folder),
    () => startServer(folder),
  ]
  for (const sweep of sweeping) {
    for (const end of ['db', 'db-wal', 'lock']) writeFileSync(path.join(backups, `.restoring-1-a.${end}`), '')
    await sweep()
    expect(readdirSync(backups).filter((name) => name.startsWith('.'))).toEqual([])
  }
})

test('a signal ends a restore that has replaced nothing, and leaves nothing of it', async () => {
  const folder = testFolder()
  const { store, create, get, edit } = testStore({ file: path.join(folder, 'galley.db') })
  const { id } = create('as it was')
  const backup = path.join(folder, 'backup.db')
  store.db.prepare('VACUUM INTO ?').run(backup)
  edit(id, 'written since')
  // As if it came as soon as anybody listens.
  const signals: string[] = []
  const sent = (name: string | symbol, listener: () => void) => {
    if (name !== 'SIGTERM') return
    signals.push(name)
    queueMicrotask(listener)
  }
  process.on('newListener', sent)
  onTestFinished(() => void process.off('newListener', sent))
  const before = process.listenerCount('SIGINT')
  expect(await run('restore', backup, '--data', folder)).toEqual({
    code: 1,
    out: '',
    error: 'galley: The restore was stopped. Nothing was changed.\n',
  })
  expect([signals, process.listenerCount('SIGINT')]).toEqual([['SIGTERM'], before])
  expect([get(id).text.whole, readdirSync(path.join(folder, 'backups'))]).toEqual(['written since', []])

  // While what is there is copied.
  const stopping = new AbortController()
  const progress = () => stopping.abort(new Error('enough'))
  const restoring = restoreFrom(folder, backup, { signal: stopping.signal, onProgress: progress })
  await expect(restoring).rejects.toThrow('enough')
  expect([get(id).text.whole, readdirSync(path.join(folder, 'backups'))]).toEqual(['written since', []])
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
