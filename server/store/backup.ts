import Database from 'better-sqlite3'
import { closeSync, fdatasyncSync, openSync, rmSync } from 'node:fs'
import { syncFile } from '../platform/atomic-file.ts'
import { findFileDamage } from './check.ts'
import { createPrivate, type Db } from './database.ts'
import { OpenError } from './open-error.ts'

/** Pages copied at a time, a megabyte or so; between two steps it is on the disk, and it is told how far it is. */
const stride = 256

/**
 * Copies the database as it is at this moment into `file`, which must not be there; others go on writing meanwhile.
 * The copy is one plain file that only its owner may read. It has been opened and found sound, and is on the disk.
 * @returns inside a later transaction on `db`: whether others have written since
 * @throws OpenError `damaged` if the copy, and so the database, isn't sound
 */
export async function backUp(
  db: Db,
  file: string,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<() => boolean> {
  createPrivate(file)
  try {
    const copied = await copy(db, file, onProgress)
    verify(file)
    syncFile(file)
    return () => dataVersion(db) !== copied
  } catch (error) {
    for (const part of [file, `${file}-journal`, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true })
    throw error
  }
}

/** SQLite's count of what other connections have written, as this one's transaction sees it. */
const dataVersion = (db: Db) => db.pragma('data_version', { simple: true }) as number

async function copy(db: Db, file: string, onProgress: (done: number, of: number) => void): Promise<number> {
  // Reading in a transaction holds on to one moment: otherwise each write by another process would start the copy anew.
  db.exec('BEGIN')
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    const copied = dataVersion(db)
    await copyInSteps(db, file, onProgress)
    return copied
  } finally {
    db.exec('ROLLBACK')
  }
}

/** Left to the end, all of it would go to the disk at once, and what a server commits behind it. */
async function copyInSteps(db: Db, file: string, onProgress: (done: number, of: number) => void) {
  const written = openSync(file, 'r+')
  try {
    await db.backup(file, {
      progress: ({ totalPages, remainingPages }) => {
        fdatasyncSync(written)
        onProgress(totalPages - remainingPages, totalPages)
        return stride
      },
    })
  } finally {
    // Not before SQLite is done with the file: closing it ends this process's locks on it.
    closeSync(written)
  }
}

function verify(file: string) {
  const db = new Database(file)
  try {
    // A copy that is read from a DVD or a read-only share must not need files beside it.
    db.pragma('journal_mode = DELETE')
    const [damage] = findFileDamage(db)
    if (damage !== undefined) throw new OpenError('damaged', `The database is damaged: ${damage}.`)
  } finally {
    db.close()
  }
}

/**
 * Brings a copy that `backUp` made up to what is committed in the database now: row by row, so that what hasn't changed
 * is only read. Nobody may write to the database meanwhile. What is done is on the disk.
 */
export function bringUpToDate(copy: string, file: string) {
  const db = new Database(copy)
  try {
    db.pragma('synchronous = FULL')
    // Rows are taken as they are, with whatever belongs to them and all that triggers have done.
    db.pragma('foreign_keys = OFF')
    db.unsafeMode()
    db.prepare('ATTACH ? AS present').run(file)
    db.transaction(() => {
      const triggers = db
        .prepare<[], { name: string; sql: string }>(
          "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'",
        )
        .all()
      for (const { name } of triggers) db.exec(`DROP TRIGGER main.${name}`)
      const tables = db
        .prepare<[], string>(
          "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite_%'",
        )
        .pluck()
        .all()
      for (const table of tables) takeRows(db, table)
      for (const { sql } of triggers) db.exec(sql)
    })()
  } finally {
    db.close()
  }
}

function takeRows(db: Db, table: string) {
  const columns = db
    .prepare<[string], { name: string; pk: number }>("SELECT name, pk FROM pragma_table_info(?, 'main')")
    .all(table)
  const { wr: isWithoutRowid } = db
    .prepare("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?")
    .get(table) as { wr: number }
  const key = isWithoutRowid ? columns.filter(({ pk }) => pk > 0).map(({ name }) => `"${name}"`) : ['rowid']
  const names = [...new Set([...key, ...columns.map(({ name }) => `"${name}"`)])]
  const same = (parts: string[]) => parts.map((name) => `ours.${name} IS theirs.${name}`).join(' AND ')
  db.exec(`
    DELETE FROM main.${table} AS ours
      WHERE NOT EXISTS (SELECT 1 FROM present.${table} AS theirs WHERE ${same(names)});
    INSERT INTO main.${table} (${names.join(', ')})
      SELECT ${names.join(', ')} FROM present.${table} AS theirs
      WHERE NOT EXISTS (SELECT 1 FROM main.${table} AS ours WHERE ${same(key)})`)
}
