import Database from 'better-sqlite3'
import fc from 'fast-check'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { anyText } from '../../domain/testing/arbitrary-text.ts'
import { hunksToJson } from '../../domain/change-set.ts'
import { contentHash, isHashOf } from '../../domain/content-hash.ts'
import { textDiff } from '../../domain/diff/index.ts'
import { checkDatabase } from '../check.ts'
import { openDatabase } from '../database.ts'
import { testFolder, testStore } from '../testing/store.ts'
import { migrations } from './index.ts'

const before = migrations.slice(0, 11)

interface OldVersion {
  document: number
  revision: number
  content: Buffer | null
  deflated: 0 | 1
}

/** What a database of that time holds: of each document its text, its versions’ texts and all else that versions say. */
function heldBy(file: string) {
  const db = new Database(file, { readonly: true })
  try {
    const documents = db
      .prepare<[], { number: number; id: string; revision: number; content: string }>(
        'SELECT number, id, revision, content FROM documents',
      )
      .all()
    const versions = db.prepare<[], OldVersion>('SELECT * FROM versions ORDER BY document, revision').all()
    const entries = db
      .prepare<[], { document: number; revision: number; at: number; hash: number }>(
        'SELECT document, revision, at, hash FROM changes',
      )
      .all()
    return { documents, versions, entries }
  } finally {
    db.close()
  }
}

/** Opens an old database with the store of today, and looks for all that it held. */
function expectNothingLost(file: string) {
  const old = heldBy(file)
  const told: number[][] = []
  const at = testStore({ file, onMigration: (done, of) => told.push([done, of]) })
  const { store } = at
  expect(checkDatabase(store.db).findings).toEqual([])
  expect(told).toEqual(old.documents.map((_, i) => [i + 1, old.documents.length]))
  for (const { number, content, revision } of old.documents)
    expect(store.documents.get(number)).toMatchObject({ text: { whole: content }, revision })
  for (const { content, deflated, ...version } of old.versions) {
    const document = store.documents.get(version.document)
    expect(store.versions.find(version.document, version.revision)).toMatchObject(version)
    const text = content && (deflated ? inflateRawSync(content) : content).toString('utf8')
    expect(store.documents.textAt(document, version.revision) === (text ?? document.text.whole)).toBe(true)
  }
  const logged = store.db.prepare<[number, number], { at: number; hash: number }>(
    'SELECT at, hash FROM changes WHERE document = ? AND revision = ?',
  )
  for (const { document, revision, at, hash } of old.entries) {
    expect(logged.get(document, revision)).toEqual({ at, hash })
    const text = store.documents.textAt(store.documents.get(document), revision)
    if (text !== null) expect(isHashOf(hash, text)).toBe(true)
  }
  return { ...at, old }
}

test('a library of release 0.1 loses nothing', () => {
  const file = path.join(testFolder(), 'galley.db')
  writeFileSync(
    file,
    gunzipSync(readFileSync(path.join(import.meta.dirname, '../testing/library-0.1.db.gz'))),
  )
  const { store, old, edit, textAt } = expectNothingLost(file)
  expect(old.documents).toHaveLength(11)
  expect(old.versions.length).toBeGreaterThan(40)
  for (const { id, number, revision, content } of old.documents) {
    if (!store.documents.find(id)) continue
    edit(id, `${content}, and on it goes`, { informed: false })
    expect(textAt(id, revision)).toBe(content)
    expect(store.documents.oldestRemembered(store.documents.get(number))).toBeLessThan(revision + 1)
  }
  store.deferred.now()
  expect(checkDatabase(store.db).findings).toEqual([])
})

interface Past {
  texts: string[]
  /** Which of them are versions; the first always is, and the newest that differs from the one before. */
  versions: boolean[]
  deflated: boolean
  /** The first revision that the log still has an entry of. */
  logFrom: number
}

/** Writes what Galley would have written then. */
function writeOld(file: string, pasts: readonly Past[]) {
  const db = openDatabase({ file, migrations: before })
  db.exec(`INSERT INTO users (id, name, created_at) VALUES ('u', 'Owner', 0)`)
  for (const [i, { texts, versions, deflated, logFrom }] of pasts.entries()) {
    const [number, newest] = [i + 1, texts.length]
    const content = texts.at(-1)!
    db.prepare(
      `INSERT INTO documents (number, id, owner_id, title, revision, hash, created_at, updated_at, content)
       VALUES (?, ?, 'u', 'Title', ?, ?, 1, ?, ?)`,
    ).run(number, `d${number}`, newest, contentHash(content), newest, content)
    const kept = texts.flatMap((text, at) =>
      at === 0 || (versions[at] && text !== texts[at - 1]) ? [at] : [],
    )
    // What comes after the newest version has left the text as it was.
    const head = texts.findLastIndex((text, at) => at === 0 || text !== texts[at - 1])
    if (!kept.includes(head)) kept.push(head)
    for (const at of kept) {
      const bytes = Buffer.from(texts[at]!, 'utf8')
      db.prepare(
        `INSERT INTO versions (document, revision, title, kind, author_id, author_name, author_key, started_at,
           created_at, size, added, removed, deflated, content)
         VALUES (?, ?, 'Title', ?, 'u', 'Owner', 'session:1', ?, ?, ?, 3, 1, ?, ?)`,
      ).run(
        number,
        at + 1,
        at === 0 ? 'create' : 'edit',
        at + 1,
        at + 1,
        texts[at]!.length,
        deflated ? 1 : 0,
        at === head ? null : deflated ? deflateRawSync(bytes) : bytes,
      )
    }
    for (let at = Math.max(1, logFrom); at < newest; at++) {
      const [from, to] = [texts[at - 1]!, texts[at]!]
      db.prepare(
        `INSERT INTO changes (document, revision, at, author_key, length, hash, changes)
         VALUES (?, ?, ?, 'session:1', ?, ?, ?)`,
      ).run(
        number,
        at + 1,
        at + 1,
        to.length,
        contentHash(to),
        JSON.stringify(hunksToJson(textDiff(from, to), from, to)),
      )
    }
  }
  db.close()
}

const anyPast: fc.Arbitrary<Past> = fc
  .array(fc.oneof({ weight: 3, arbitrary: anyText }, fc.constant('the same')), { minLength: 1, maxLength: 9 })
  .chain((texts) =>
    fc.record({
      texts: fc.constant(texts),
      versions: fc.array(fc.boolean(), { minLength: texts.length, maxLength: texts.length }),
      deflated: fc.boolean(),
      logFrom: fc.nat(texts.length),
    }),
  )

test('nothing is lost of whatever past an old library has, and it goes on from there', () => {
  fc.assert(
    fc.property(fc.array(anyPast, { maxLength: 4 }), (pasts) => {
      const file = path.join(testFolder(), 'galley.db')
      writeOld(file, pasts)
      const { store, edit, textAt } = expectNothingLost(file)
      for (const [i, { texts, logFrom }] of pasts.entries()) {
        // What the old log led to from a text that is known can be read, too.
        if (logFrom <= 1)
          for (const [at, text] of texts.entries()) expect(textAt(`d${i + 1}`, at + 1)).toBe(text)
        edit(`d${i + 1}`, 'And on it goes.')
      }
      store.deferred.now()
      expect(checkDatabase(store.db).findings).toEqual([])
      store.close()
    }),
    { numRuns: 20 },
  )
})

test('what a version of release 0.1 had, a place that was named then is followed from', () => {
  const file = path.join(testFolder(), 'galley.db')
  writeOld(file, [{ texts: ['a b', 'a b c', 'x a b c'], versions: [], deflated: false, logFrom: 1 }])
  const { store } = expectNothingLost(file)
  const document = store.documents.get(1)
  expect(store.documents.oldestRemembered(document)).toBe(0)
  expect(store.documents.changesSince(document, 1).map(({ changes }) => changes)).toEqual([
    [3, [0, ' c']],
    [[0, 'x '], 5],
  ])
})

test('a migration that is killed on its way has changed nothing, and is done by the next start', () => {
  const file = path.join(testFolder(), 'galley.db')
  const past = { texts: ['one', 'two', 'three'], versions: [true, true, true], deflated: false, logFrom: 2 }
  writeOld(
    file,
    Array.from({ length: 20 }, () => past),
  )
  const old = heldBy(file)
  const script = `
    import { openDatabase } from ${JSON.stringify(path.join(import.meta.dirname, '../database.ts'))}
    openDatabase({
      file: ${JSON.stringify(file)},
      onMigration: (done) => { if (done === Number(process.argv[1])) process.kill(process.pid, 'SIGKILL') },
    })`
  for (const moment of [1, 11, 20]) {
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script, String(moment)])
    expect(signal).toBe('SIGKILL')
    expect(heldBy(file)).toEqual(old)
  }
  expectNothingLost(file)
})
