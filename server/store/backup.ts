import Database from 'better-sqlite3'
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { findFileDamage } from './check.ts'
import { createPrivate, type Db } from './database.ts'
import { OpenError } from './open-error.ts'

/** Pages copied at a time; between two steps the caller's progress is told. */
const stride = 2_000

/**
 * Copies the database as it is at this moment into `file`, which must not be there; others go on writing meanwhile.
 * The copy is one plain file that only its owner may read. It has been opened and found sound, and is on the disk.
 * @throws OpenError `damaged` if the copy, and so the database, isn't sound
 */
export async function backUp(
  db: Db,
  file: string,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<void> {
  createPrivate(file)
  try {
    await copy(db, file, onProgress)
    verify(file)
    const handle = openSync(file, 'r+')
    fsyncSync(handle)
    closeSync(handle)
  } catch (error) {
    for (const part of [file, `${file}-journal`, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true })
    throw error
  }
}

async function copy(db: Db, file: string, onProgress: (done: number, of: number) => void) {
  // Reading in a transaction holds on to one moment: otherwise each write by another process would start the copy anew.
  db.exec('BEGIN')
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    await db.backup(file, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress(totalPages - remainingPages, totalPages)
        return stride
      },
    })
  } finally {
    db.exec('ROLLBACK')
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
