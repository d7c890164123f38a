import Database from 'better-sqlite3'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, schemaVersion, type DatabaseOptions } from './database.ts'
import { colourStore } from './colours.ts'
import { commentStore } from './comments.ts'
import { memoryOf } from './memory.ts'
import { migrations } from './migrations/index.ts'
import { OpenError, type OpenReason } from './open-error.ts'
import { seenFeedbackStore } from './seen-feedback.ts'
import { testFolder } from './testing/store.ts'

function open(options: DatabaseOptions) {
  const db = openDatabase(options)
  onTestFinished(() => void db.close())
  return db
}

function refusal(options: DatabaseOptions): { reason: OpenReason; message: string } {
  try {
    openDatabase(options).close()
  } catch (error) {
    expect(error).toBeInstanceOf(OpenError)
    return error as OpenError
  }
  throw new Error('It was opened.')
}

const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string
const newFile = () => path.join(testFolder(), 'galley.db')

/** A database as an older Galley left it: one table, one row. */
function oldDatabase(file: string) {
  const db = openDatabase({ file, migrations: ['CREATE TABLE notes (text TEXT)'] })
  db.exec("INSERT INTO notes VALUES ('kept')")
  db.close()
}

test('databases in memory have the schema and the settings, and nothing of one another', () => {
  const first = open({ file: ':memory:' })
  first.exec("INSERT INTO users (id, name, created_at) VALUES ('x', 'Other', 0)")
  const second = open({ file: ':memory:' })
  const schema = (db: Database.Database) => db.prepare('SELECT type, name, sql FROM sqlite_schema').all()
  expect(schema(second)).toEqual(schema(first))
  expect(schemaVersion(second)).toBe(migrations.length)
  expect(second.pragma('foreign_keys', { simple: true })).toBe(1)
  expect(second.prepare("SELECT count(*) FROM users WHERE id = 'x'").pluck().get()).toBe(0)
})

describe('a new database', () => {
  test('has the settings that durability and safety rest on', () => {
    const db = open({ file: newFile() })
    const settings = Object.fromEntries(
      [
        'journal_mode',
        'synchronous',
        'foreign_keys',
        'busy_timeout',
        'trusted_schema',
        'cell_size_check',
      ].map((name) => [name, db.pragma(name, { simple: true })]),
    )
    expect(settings).toEqual({
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      busy_timeout: 5000,
      trusted_schema: 0,
      cell_size_check: 1,
    })
  })

  test('is marked as Galley’s and has all migrations', () => {
    const db = open({ file: newFile() })
    expect(db.pragma('application_id', { simple: true })).toBe(0x47414c59)
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length)
  })

  test.skipIf(process.platform === 'win32')('can be read by its owner only, and so can its log', () => {
    const file = newFile()
    open({ file }).exec("INSERT INTO users (id, name, created_at) VALUES ('1', 'A', 0)")
    for (const part of ['', '-wal', '-shm']) expect(statSync(file + part).mode & 0o777).toBe(0o600)
  })

  test('can be made by several processes at the same moment', async () => {
    const file = newFile()
    const script = `import { openDatabase } from ${JSON.stringify(path.join(import.meta.dirname, 'database.ts'))}
      openDatabase({ file: ${JSON.stringify(file)} }).close()`
    const codes = await Promise.all(
      [1, 2, 3, 4].map(
        () =>
          new Promise((resolve) =>
            spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }).once(
              'exit',
              resolve,
            ),
          ),
      ),
    )
    expect(codes).toEqual([0, 0, 0, 0])
  })
})

describe('migrations', () => {
  const second = 'ALTER TABLE notes ADD COLUMN title TEXT'
  const steps = ['CREATE TABLE notes (text TEXT)', second]

  test('an older database gets the steps it lacks, and keeps its rows', () => {
    const file = newFile()
    oldDatabase(file)
    const db = open({ file, migrations: steps })
    expect(db.prepare('SELECT text, title FROM notes').all()).toEqual([{ text: 'kept', title: null }])
    expect(db.pragma('user_version', { simple: true })).toBe(2)
  })

  test('a copy is made before', () => {
    const file = newFile()
    oldDatabase(file)
    const copy = path.join(testFolder(), 'copy.db')
    const asked: number[] = []
    open({ file, migrations: steps, backupBeforeMigration: (version) => (asked.push(version), copy) })
    expect(asked).toEqual([1])
    const before = new Database(copy)
    expect(before.prepare('SELECT * FROM notes').all()).toEqual([{ text: 'kept' }])
    expect(before.pragma('user_version', { simple: true })).toBe(1)
    before.close()
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600)
  })

  test('no copy is made of a new database, nor of one that is up to date', () => {
    const file = newFile()
    const backupBeforeMigration = () => {
      throw new Error('asked for a copy')
    }
    open({ file, backupBeforeMigration })
    open({ file, backupBeforeMigration })
  })

  test('one that fails half-way leaves everything as it was', () => {
    const file = newFile()
    oldDatabase(file)
    const copy = path.join(testFolder(), 'copy.db')
    const failing = [...steps, 'CREATE TABLE more (a); INSERT INTO missing VALUES (1)']
    const { message } = refusal({ file, migrations: failing, backupBeforeMigration: () => copy })
    expect(message).toContain('no such table: missing')
    const db = open({ file, migrations: steps.slice(0, 1) })
    expect(db.prepare('SELECT * FROM notes').all()).toEqual([{ text: 'kept' }])
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'more'").all()).toEqual([])
    expect(existsSync(copy)).toBe(true)
  })

  test('a kill while the copy is made leaves none that isn’t whole, and the next start clears up', async () => {
    const file = newFile()
    const before = new Database(file)
    before.exec(`${steps[0]!}; PRAGMA application_id = ${0x47414c59}; PRAGMA user_version = 1`)
    const put = before.prepare('INSERT INTO notes VALUES (?)')
    before.transaction(() => {
      for (let i = 0; i < 40; i++) put.run('x'.repeat(1024 * 1024))
    })()
    before.close()
    const folder = path.join(testFolder(), 'backups')
    const copy = path.join(folder, 'copy.db')
    mkdirSync(folder)
    const script = `import { openDatabase } from ${JSON.stringify(path.join(import.meta.dirname, 'database.ts'))}
      openDatabase({ file: ${JSON.stringify(file)}, migrations: ${JSON.stringify(steps)},
        backupBeforeMigration: () => ${JSON.stringify(copy)} })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    const gone = new Promise((resolve) => child.once('exit', resolve))
    while (readdirSync(folder).length === 0 && child.exitCode === null)
      await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGKILL')
    await gone
    // Killed when it was as good as done, it is whole.
    if (existsSync(copy)) {
      expect(new Database(copy).prepare('SELECT count(*) FROM notes').pluck().get()).toBe(40)
      rmSync(copy)
    }
    open({ file, migrations: steps, backupBeforeMigration: () => copy })
    expect(readdirSync(folder)).toEqual(['copy.db'])
    expect(new Database(copy).prepare('SELECT count(*) FROM notes').pluck().get()).toBe(40)
  })

  test('nothing is migrated when the copy can’t be made', () => {
    const file = newFile()
    oldDatabase(file)
    const copy = path.join(testFolder(), 'missing', 'copy.db')
    refusal({ file, migrations: steps, backupBeforeMigration: () => copy })
    expect(open({ file, migrations: steps.slice(0, 1) }).pragma('user_version', { simple: true })).toBe(1)
  })
})

describe('what can’t be opened says why', () => {
  test('a newer database, which is not touched', () => {
    const file = newFile()
    const newer = openDatabase({ file, migrations: [...migrations, 'CREATE TABLE later (a)'] })
    newer.close()
    const before = readFileSync(file)
    const { reason, message } = refusal({ file })
    expect(reason).toBe('newer')
    expect(message).toMatch(/written by a newer Galley .*Update Galley to open it; nothing was changed/)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(path.dirname(file))).toEqual(['galley.db'])
    expect(refusal({ file, readonly: true }).reason).toBe('newer')
  })

  test('a file that is no database, which is not touched', () => {
    const file = newFile()
    writeFileSync(file, 'These are my notes, not a database. '.repeat(100))
    const before = readFileSync(file)
    expect(refusal({ file })).toMatchObject({
      reason: 'damaged',
      message: matching(/not a readable database.*restore/i),
    })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('another program’s database, which is not touched', () => {
    const file = newFile()
    const other = new Database(file)
    other.exec('CREATE TABLE photos (a)')
    other.close()
    const before = readFileSync(file)
    expect(refusal({ file })).toMatchObject({
      reason: 'not galley',
      message: matching(/not one of Galley’s/),
    })
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('a database whose schema can’t be read any more', () => {
    const file = newFile()
    openDatabase({ file }).close()
    const bytes = readFileSync(file)
    bytes.fill(0x5a, 100, 4096)
    writeFileSync(file, bytes)
    expect(refusal({ file })).toMatchObject({ reason: 'damaged', message: matching(/damaged.*restore/i) })
  })

  test('a path that can’t be written', () => {
    const folder = testFolder()
    mkdirSync(path.join(folder, 'galley.db'))
    expect(refusal({ file: path.join(folder, 'galley.db') })).toMatchObject({ reason: 'no permission' })
    expect(refusal({ file: path.join(folder, 'missing', 'galley.db') }).message).toContain('missing')
  })

  test('a full disk', () => {
    const full = ['PRAGMA max_page_count = 4; CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(1000000))']
    expect(refusal({ file: newFile(), migrations: full })).toMatchObject({
      reason: 'no room',
      message: matching(/no room left on the disk/),
    })
  })

  test('a database that another program keeps locked', () => {
    const file = newFile()
    const other = openDatabase({ file })
    other.pragma('locking_mode = EXCLUSIVE')
    other.exec('BEGIN EXCLUSIVE')
    onTestFinished(() => void other.close())
    expect(refusal({ file })).toMatchObject({
      reason: 'in use',
      message: matching(/locked by another program/),
    })
  })
})

test('what was made with a key before keys were named says so once the database is migrated', () => {
  const file = newFile()
  const before = open({ file, migrations: migrations.slice(0, 6) })
  before.exec(`
    INSERT INTO users (id, name, created_at) VALUES ('u', 'Owner', 1);
    INSERT INTO api_keys (id, user_id, name, prefix, digest, access, created_at)
      VALUES ('k', 'u', 'Proof reader', 'gally_000000', x'00', 'full', 1);
    INSERT INTO documents (number, id, owner_id, title, revision, hash, created_at, updated_at, content)
      VALUES (1, 'd', 'u', 'T', 1, 0, 1, 1, 'text');
    INSERT INTO comments (id, document, author_id, author_key, author_name, created_at, updated_at, body) VALUES
      ('a', 1, 'u', 'key:k', 'Owner', 1, 1, 'x'), ('b', 1, 'u', 'key:gone', 'Owner', 1, 1, 'x'),
      ('c', 1, 'u', 'session:s', 'Owner', 1, 1, 'x');`)
  before.close()
  const db = open({ file, migrations })
  expect(db.prepare('SELECT key_name FROM comments ORDER BY id').pluck().all()).toEqual([
    'Proof reader',
    null,
    null,
  ])
})

test('comments and suggestions of an older database stand as they did, and can be answered', () => {
  const file = newFile()
  const old = openDatabase({ file, migrations: migrations.slice(0, 21) })
  old.exec(`
    INSERT INTO users (id, name, created_at) VALUES ('u', 'Owner', 0);
    INSERT INTO documents (number, id, owner_id, title, revision, hash, created_at, updated_at)
    VALUES (1, 'd', 'u', 'Proof', 1, 0, 0, 0);
    INSERT INTO comments (id, document, author_key, author_name, created_at, updated_at, body)
    VALUES ('c', 1, 'guest', 'Guest', 1, 1, 'Really?');
    INSERT INTO suggestions (id, document, author_key, author_name, created_at, original_text, suggested_text)
    VALUES ('s', 1, 'guest', 'Guest', 1, 'a', 'b');
    INSERT INTO events (at, kind, owner_id, document_id, principal_kind, subject_id)
    VALUES (1, 'comment.created', 'u', 'd', 'guest', 'c');
  `)
  old.close()
  const db = open({ file })
  const comments = commentStore(
    db,
    () => 2,
    () => 'r',
    colourStore(db, memoryOf(db), () => 2),
  )
  const author = { id: null, name: 'Guest', key: 'guest' }
  comments.create(1, author, { body: 'No', parentId: null, suggestionId: 's', anchor: null, range: null })
  expect(comments.list(1)).toMatchObject([{ id: 'c', suggestion_id: null }])
  expect(comments.repliesToEach(['s']).get('s')).toMatchObject([{ id: 'r' }])
  expect(db.prepare('SELECT subject_id, suggestion_id FROM events').all()).toEqual([
    { subject_id: 'c', suggestion_id: null },
  ])
})

test('texts of an older database begin as they did', () => {
  const file = newFile()
  const old = openDatabase({ file, migrations: migrations.slice(0, 8) })
  old.exec(`
    INSERT INTO users (id, name, created_at) VALUES ('u', 'Owner', 0);
    INSERT INTO documents (id, owner_id, title, revision, hash, created_at, updated_at, content)
    VALUES ('d', 'u', 'Long', 1, 0, 0, 0, printf('%.*c', 5000, 'x'));
  `)
  old.close()
  const text = open({ file }).prepare('SELECT text FROM document_starts').pluck().get()
  expect(text).toBe('x'.repeat(2000))
})

test('feedback of an older database counts as seen, and what comes after it does not', () => {
  const file = newFile()
  const comment = (id: string, at: number) => `
    INSERT INTO comments (id, document, author_key, author_name, created_at, updated_at, body)
    VALUES ('${id}', 1, 'guest', 'Guest', ${at}, ${at}, 'Really?');`
  const old = openDatabase({ file, migrations: migrations.slice(0, 9) })
  old.exec(`
    INSERT INTO users (id, name, created_at) VALUES ('u', 'Owner', 0);
    INSERT INTO documents (number, id, owner_id, title, revision, hash, created_at, updated_at, content)
    VALUES (1, 'd', 'u', 'Proof', 1, 0, 0, 0, 'A galley');
    ${comment('a', 1_000)}
  `)
  old.close()
  const db = open({ file })
  const feedback = seenFeedbackStore(db)
  expect(feedback.countUnseen('d')).toBe(0)
  db.exec(comment('b', 1_001))
  expect(feedback.countUnseen('d')).toBe(1)
})
