import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { gunzipSync } from 'node:zlib'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCleaner } from '../cleaning.ts'
import { checkDatabase } from './check.ts'
import { orderMeanwhile } from './cleaning.ts'
import { createCleaningThreads } from './cleaning-threads.ts'
import { holdingBackups } from './holding-backups.ts'
import { peoplesWords } from './peoples-words.ts'
import { testFolder, testStore } from './testing/store.ts'

const secret = 'zebra-crossing-77'

/** Cleans a database's files as a running server does. */
async function clean(file: string): Promise<void> {
  const { store } = testStore({ file })
  const threads = createCleaningThreads()
  const failures: unknown[] = []
  const cleaner = createCleaner({
    store,
    cleanFiles: () => threads.cleanFiles(file),
    onFailure: (error) => failures.push(error),
  })
  cleaner.soon()
  await expect.poll(() => cleaner.state(), { timeout: 30_000 }).toEqual({ clean: true, fails: false })
  cleaner.close()
  await threads.close()
  expect(failures).toEqual([])
  expect(checkDatabase(store.db).findings).toEqual([])
  store.close()
}
const isHeld = (file: string, word: string) =>
  [file, `${file}-wal`].some((one) => existsSync(one) && readFileSync(one).includes(word))

test('a kill at any moment of forgetting leaves all of it to be forgotten, or what is left to clean', async () => {
  const folder = testFolder()
  const file = path.join(folder, 'galley.db')
  const at = testStore({ file })
  const { id } = at.create(`Before.\n\n${secret}\n\nAfter.\n`)
  for (let n = 0; n < 20; n++) at.edit(id, `Before ${n}.\n\n${secret}\n\nAfter ${n}.\n`)
  const today = 'Before.\n\nAfter.\n'
  at.edit(id, today)
  at.store.deferred.now()
  at.store.db.pragma('wal_checkpoint(TRUNCATE)')
  at.store.db.pragma('wal_autocheckpoint = 0')
  at.store.transaction(() => at.store.forgetting.passage(at.get(id), secret))
  for (const part of at.store.cleanIndexes()) at.store.transaction(part)
  copyFileSync(file, `${file}.cut`)
  const wal = readFileSync(`${file}-wal`)
  at.store.close()
  let [whole, begun] = [0, 0]
  for (let i = 0; i <= 12; i++) {
    const image = path.join(folder, `image-${i}.db`)
    copyFileSync(`${file}.cut`, image)
    writeFileSync(`${image}-wal`, wal.subarray(0, Math.floor((wal.length * i) / 12)))
    const cut = testStore({ file: image })
    const isBegun = cut.store.forgetting.due() !== null
    const texts = Array.from({ length: 22 }, (_, n) => cut.textAt(id, n + 1)!)
    expect(texts.at(-1)).toBe(today)
    expect(texts.slice(0, -1).every((text) => text.includes(secret) === !isBegun)).toBe(true)
    expect(checkDatabase(cut.store.db).findings).toEqual([])
    cut.store.close()
    if (isBegun) begun++
    else whole++
    if (!isBegun || i % 4 !== 0) continue
    await clean(image)
    expect(isHeld(image, secret)).toBe(false)
  }
  expect(Math.min(whole, begun)).toBeGreaterThan(0)
})

test('a library of release 0.1 forgets its past, and one passage, as any other', async () => {
  const file = path.join(testFolder(), 'galley.db')
  writeFileSync(file, gunzipSync(readFileSync(path.join(import.meta.dirname, 'testing/library-0.1.db.gz'))))
  const at = testStore({ file })
  const ids = at.store.db.prepare<[], string>('SELECT id FROM documents').pluck().all()
  const changed: { id: string; today: string }[] = []
  for (const id of ids) {
    const document = at.store.documents.find(id)
    if (!document) continue
    const today = document.text.whole
    at.edit(id, `${today}\n${secret}\n`)
    at.edit(id, today)
    changed.push({ id, today })
    const outcome = at.store.transaction(() => at.store.forgetting.passage(at.get(id), secret))
    expect(outcome).toMatchObject({ stands: false, found: 1 })
    if (changed.length % 2 === 0)
      at.store.transaction(() => at.store.forgetting.before(at.get(id), at.get(id).revision))
  }
  expect(changed.length).toBeGreaterThan(1)
  expect(checkDatabase(at.store.db).findings).toEqual([])
  at.store.close()
  await clean(file)
  expect(isHeld(file, secret)).toBe(false)
  const again = testStore({ file })
  for (const { id, today } of changed) expect(again.get(id).text.whole).toBe(today)
})

test('a backup holds it also where only a visitor’s or a guest’s name does, as one line', () => {
  const folder = testFolder()
  const at = testStore({ file: path.join(folder, 'named.db') })
  const { id, number } = at.create('Nothing.')
  const other = at.create('Nothing.')
  at.store.db
    .prepare(
      "INSERT INTO share_links (id, document, created_by, token, digest, permission, created_at) VALUES ('l', ?, ?, 't', x'00', 'view', 1)",
    )
    .run(number, at.owner.id)
  at.store.db
    .prepare("INSERT INTO link_visits (id, link, opened_at, preview, name) VALUES ('v', 'l', 1, 0, ?)")
    .run(`${secret} blue`)
  at.store.close()
  writeFileSync(
    path.join(folder, 'older.db'),
    gunzipSync(readFileSync(path.join(import.meta.dirname, 'testing/library-0.1.db.gz'))),
  )
  // What was too damaged to be kept as a backup.
  mkdirSync(path.join(folder, 'damaged-2026'))
  const found = (of: string) => holdingBackups({ folder, id: of, passage: `${secret}\nblue` })
  expect(found(id)).toEqual({ holding: ['named.db'], unread: ['damaged-2026'], looked: 2 })
  expect(found(other.id)).toEqual({ holding: [], unread: ['damaged-2026'], looked: 2 })

  // Whatever a copy is called, and wherever in the folder it is.
  mkdirSync(path.join(folder, 'sub'))
  const others = ['.hidden.db', 'nightly', 'nightly.sqlite', 'sub/x.db']
  for (const name of others) copyFileSync(path.join(folder, 'named.db'), path.join(folder, name))
  writeFileSync(path.join(folder, 'notes.txt'), 'no database')
  expect(found(id)).toMatchObject({ holding: ['.hidden.db', 'named.db', ...others.slice(1)], looked: 6 })
})

test('a cleaning that was ordered only for as long as a restore took isn’t begun once it is taken back', () => {
  const { store } = testStore()
  const ordered = orderMeanwhile(store.db, 1)
  let begun = 0
  const cleaner = createCleaner({
    store: { ...store, cleanIndexes: () => (begun++, store.cleanIndexes()) },
    cleanFiles: null,
    // It ends just now.
    isHeld: () => (ordered.takeBack(), false),
    onFailure: (error) => expect.unreachable(String(error)),
  })
  cleaner.soon()
  cleaner.close()
  expect([cleaner.state().clean, begun]).toEqual([true, 0])
})

test('a folder among the backups that can’t be read is named, and the others are looked into', () => {
  const folder = testFolder()
  const at = testStore()
  const { id } = at.create(secret)
  for (const name of ['lost+found', 'newer', 'older']) mkdirSync(path.join(folder, name))
  const copies = ['first.db', 'newer/a.db', 'older/b.db'].map((name) => path.join(folder, name))
  for (const copy of copies) at.store.db.prepare('VACUUM INTO ?').run(copy)
  symlinkSync('older', path.join(folder, 'last'))
  for (const copy of [...copies, folder]) chmodSync(copy, 0o755)
  chmodSync(path.join(folder, 'lost+found'), 0)
  // Whoever may read everything does it as somebody else.
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const url = new URL('./holding-backups.ts', import.meta.url).href
  const work = `const { holdingBackups } = await import(${JSON.stringify(url)})
    const [, folder, id, passage] = process.argv
    process.stdout.write(JSON.stringify(holdingBackups({ folder, id, passage })))`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', work, folder, id, secret],
    { ...nobody, encoding: 'utf8' },
  )
  chmodSync(path.join(folder, 'lost+found'), 0o755)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    holding: ['first.db', 'newer/a.db', 'older/b.db'],
    // A link to a folder isn’t followed: it may lead anywhere.
    unread: process.platform === 'win32' ? ['last'] : ['lost+found', 'last'],
    looked: 4,
  })
})

/** Columns of text in which a document has no words that are to be forgotten, and why not. */
const withoutWords = new Map([
  // Ids, tokens, digests, kinds and states.
  ['users', 'id theme'],
  ['documents', 'id owner_id'],
  ['share_links', 'id created_by token digest permission'],
  ['comments', 'id parent_id author_id author_key suggestion_id key_kind'],
  ['suggestions', 'id author_id author_key status key_kind'],
  ['sessions', 'digest user_id'],
  ['tickets', 'digest user_id'],
  ['stopped_sharing', 'user_id'],
  ['copied_links', 'link address'],
  ['link_visits', 'id link device'],
  ['versions', 'kind author_id author_key key_kind'],
  ['changes', 'author_key client_id'],
  [
    'events',
    'kind owner_id document_id subject_id principal_kind principal_id suggestion_id principal_key_kind hidden_authors',
  ],
  ['rounds', 'id'],
  ['finished_reviews', 'round link reviewer'],
  ['blobs', 'sha256 type'],
  ['guests', 'author_key'],
  ['webhook_deliveries', 'id webhook lane status error'],
  ['allowed_origins', 'user_id origin'],
])
/** Columns that hold words, and are no place where something is blocked out. */
const seenTo = new Map([
  // The account’s own, whatever its documents say.
  ['users', 'name'],
  ['api_keys', 'id user_id name prefix digest access kind documents'],
  ['webhooks', 'id user_id url secret kinds documents off_reason last_error'],
  // Today’s, out of which the passage is before it is forgotten.
  ['documents', 'title'],
  ['document_starts', 'text'],
  // Redacted as a log.
  ['changes', 'changes'],
  ['keyframes', 'content'],
  // Emptied, and made anew from today’s text.
  ['renders', 'renderer facts html'],
  ['search_words', 'word'],
  ['idempotency_records', 'name request sealed'],
  // Addresses that texts lead to; named where they are alike.
  ['files', 'id name blob link author_key'],
  // Whoever is known by their name alone is let go with that.
  ['colours', 'person'],
])

test('it is known of every column of text whether forgetting has to look there', () => {
  const { db } = testStore().store
  const columns = db
    .prepare<[], string>(
      `SELECT t.name || '.' || c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type NOT IN ('INTEGER', 'REAL')`,
    )
    .pluck()
    .all()
  const known = [
    ...peoplesWords.flatMap(({ table, columns }) =>
      Object.keys(columns).map((column) => `${table}.${column}`),
    ),
    ...[...withoutWords, ...seenTo].flatMap(([table, said]) =>
      said.split(' ').map((column) => `${table}.${column}`),
    ),
  ]
  expect(columns.toSorted()).toEqual(known.toSorted())
})
