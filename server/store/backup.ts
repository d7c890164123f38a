import Database from 'better-sqlite3'
import { closeSync, fdatasyncSync, openSync, rmSync } from 'node:fs'
import { syncFile } from '../platform/atomic-file.ts'
import { findFileDamage } from './check.ts'
import { createPrivate, type Db } from './database.ts'
import { rowsTaker, unmake, type RowKeys } from './differing-rows.ts'
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
 * A copy that `backUp` made of `file`, while it is brought up to what others have written since.
 * What is done is on the disk.
 */
export function openKept(copy: string, file: string) {
  const db = new Database(copy)
  try {
    // One sync for each time; all of it is in the one plain file again once this is closed.
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('wal_autocheckpoint = 0')
    // Nobody else has it, so it doesn't get shorter; to read it this way takes half as long.
    db.pragma(`mmap_size = ${2 ** 31 - 1}`)
    // Rows are taken as they are, with whatever belongs to them.
    db.pragma('foreign_keys = OFF')
    db.prepare('ATTACH ? AS present').run(file)
    const takeRows = rowsTaker(db)
    const isForgotten = db
      .prepare<[string], 1>(
        `SELECT 1 FROM main.events WHERE kind = 'version.forgotten' AND seq IN (SELECT value FROM json_each(?)) LIMIT 1`,
      )
      .pluck()
    const order = db.prepare('INSERT INTO main.cleanings (at) VALUES (?)')
    const removeOrder = db.prepare('DELETE FROM main.cleanings WHERE number = ?')
    let hasForgotten = false
    return {
      file: copy,
      /**
       * Brings it up to what is committed now. Its search index stays as it is, and lags behind the documents that have
       * changed.
       * @param ordered the cleaning that is ordered for as long as a restore takes, and is nothing of the copy’s
       * @returns the keys of the rows that had changed
       */
      bringUpToDate: db.transaction((ordered?: number): RowKeys => {
        const taken = takeRows()
        const numbers = JSON.stringify(taken.get('documents')!.flat())
        db.exec(unmake(`SELECT value FROM json_each('${numbers}')`))
        if (ordered !== undefined) removeOrder.run(ordered)
        // It stays in the file, where nobody cleans, as it does where a cleaning was due when this was copied.
        hasForgotten ||= isForgotten.get(JSON.stringify(taken.get('events')!.flat())) !== undefined
        if (hasForgotten) order.run(Date.now())
        return taken
      }),
      /** Makes one plain file of it. Where that fails it is whole all the same, in the log beside it. */
      close() {
        try {
          db.exec('DETACH present')
          db.pragma('journal_mode = DELETE')
        } catch {
          // Whoever has been told that all was replaced must not hear that it wasn't.
        } finally {
          db.close()
        }
      },
    }
  } catch (error) {
    db.close()
    throw error
  }
}

export type KeptCopy = ReturnType<typeof openKept>
