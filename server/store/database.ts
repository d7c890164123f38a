import Database from 'better-sqlite3'
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { draftBeside, removeAbandonedDrafts, syncFile, syncFolder } from '../platform/atomic-file.ts'
import { isBusy } from './database-trouble.ts'
import { migrations, runMigration, type Migration } from './migrations/index.ts'
import { explainOpening, OpenError } from './open-error.ts'
import { keepPlans } from './steady-plans.ts'

export type Db = Database.Database

/** What all migrations make of nothing, where a database in memory has had them: the next begins with it. */
let migratedInMemory: Buffer | undefined

/** “GALY” in ASCII: marks a database file as Galley's. */
const applicationId = 0x47414c59

export interface DatabaseOptions {
  /** Path of the database file, or `:memory:`. */
  file: string
  /** Where the copy made before a migration goes; given the version it has. */
  backupBeforeMigration?: (version: number) => string
  /** For tests of the migrations themselves. */
  migrations?: readonly Migration[]
  /** Told how far a migration is that goes through all documents. */
  onMigration?: (done: number, of: number) => void
  readonly?: boolean
}

/**
 * Opens the database, brings its schema up to date and asserts the settings that durability rests on.
 * @throws OpenError
 */
export function openDatabase(options: DatabaseOptions): Db {
  let db: Db | undefined
  try {
    const isInMemory = options.file === ':memory:'
    const isNew = isInMemory || !existsSync(options.file)
    const isUsual = isInMemory && !options.migrations
    // SQLite gives its other files the mode of this one.
    if (isNew && !isInMemory && !options.readonly) createPrivate(options.file)
    db = new Database((isUsual && migratedInMemory) || options.file, {
      readonly: options.readonly ?? false,
      fileMustExist: options.readonly ?? false,
    })
    keepPlans(db)
    refuseForeign(db, options.file, isNew)
    refuseNewer(db, options.file, options.migrations?.length)
    if (!options.readonly) {
      setPragmas(db, options.file)
      migrate(db, options)
      if (isUsual) migratedInMemory ??= db.serialize()
    }
    // Set later, it would drop what only this connection has: an index, and triggers.
    db.pragma('temp_store = MEMORY')
    return db
  } catch (error) {
    db?.close()
    throw explainOpening(error, options.file)
  }
}

/** Makes an empty file that nobody else may read; one that is there already stays as it is. */
export const createPrivate = (file: string) => closeSync(openSync(file, 'a', 0o600))

const pragma = (db: Db, name: string) => db.pragma(name, { simple: true })

export const isGalleys = (db: Db) => pragma(db, 'application_id') === applicationId

function refuseForeign(db: Db, file: string, isNew: boolean) {
  // The first statement that reads the file: a damaged header shows here, before anything is written.
  const tables = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number
  // Asked after the tables are known: another process may just have made all of it at once.
  if (!isNew && tables > 0 && !isGalleys(db)) {
    throw new OpenError('not galley', `${file} is a database, but not one of Galley’s. It was left as it is.`)
  }
}

/**
 * This build of better-sqlite3 takes `synchronous=NORMAL` in WAL mode unless told otherwise, and that may lose an
 * acknowledged commit when the power fails.
 */
function setPragmas(db: Db, file: string) {
  const memory = file === ':memory:'
  const wanted: [name: string, value: string, reads: unknown][] = [
    ['busy_timeout', '5000', 5000],
    ['journal_mode', 'WAL', memory ? 'memory' : 'wal'],
    ['synchronous', 'FULL', 2],
    ['foreign_keys', 'ON', 1],
    ['trusted_schema', 'OFF', 0],
    ['cell_size_check', 'ON', 1],
    ...(process.platform === 'darwin'
      ? ([
          ['fullfsync', '1', 1],
          ['checkpoint_fullfsync', '1', 1],
        ] as [string, string, unknown][])
      : []),
  ]
  for (const [name, value, reads] of wanted) {
    whileOthersBegin(() => db.pragma(`${name} = ${value}`))
    const got = pragma(db, name)
    if (got !== reads)
      throw new OpenError('failed', `SQLite refused ${name}=${value} for ${file}: it says ${String(got)}.`)
  }
}

/** So long another process is waited for that makes the same of a new file just now; in ms. */
const mostWaited = 2_000

/** SQLite itself doesn't wait where two change at a time how a file is written. */
function whileOthersBegin(change: () => void) {
  const until = Date.now() + mostWaited
  for (;;)
    try {
      return change()
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
}

/** How many of the known migrations the database has had. */
export const schemaVersion = (db: Db) => pragma(db, 'user_version') as number
export const currentSchema = migrations.length

/** @throws OpenError if the database was written by a newer Galley */
export function refuseNewer(db: Db, file: string, known = currentSchema) {
  const version = schemaVersion(db)
  if (version > known) {
    throw new OpenError(
      'newer',
      `${file} was written by a newer Galley (its schema is number ${version}, this Galley knows ${known}). Update Galley to open it; nothing was changed.`,
    )
  }
}

function migrate(db: Db, options: DatabaseOptions) {
  const steps = options.migrations ?? migrations
  const version = schemaVersion(db)
  if (version === steps.length) return
  if (version > 0 && options.backupBeforeMigration) keepCopy(db, options.backupBeforeMigration(version))
  db.transaction(() => {
    // Another process may have been quicker.
    for (const step of steps.slice(schemaVersion(db))) runMigration(db, step, options.onMigration)
    db.pragma(`application_id = ${applicationId}`)
    db.pragma(`user_version = ${steps.length}`)
  }).immediate()
}

/** The copy has its name only once it is whole, and on the disk. */
function keepCopy(db: Db, file: string) {
  removeAbandonedDrafts(path.dirname(file))
  const draft = draftBeside(file)
  createPrivate(draft)
  try {
    db.prepare('VACUUM INTO ?').run(draft)
    syncFile(draft)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncFolder(path.dirname(file))
}
