import Database from 'better-sqlite3'
import { chmodSync, copyFileSync, rmSync, statSync } from 'node:fs'
import { findFileDamage, findRecordDamage } from './check.ts'
import { createPrivate, openDatabase, isGalleys, refuseNewer, type Db } from './database.ts'
import { explainOpening, OpenError } from './open-error.ts'

/**
 * Copies a backup to `copy` and brings the copy's schema up to date; the backup itself is only read.
 * @returns what of Galley's own rules the backup breaks, one line each
 * @throws OpenError if it isn't a sound database of Galley's, or a newer one
 */
export function readBackup(file: string, copy: string): string[] {
  createPrivate(copy)
  let db: Db | undefined
  try {
    copyDatabase(file, copy)
    leaveToSystem(copy)
    db = openDatabase({ file: copy })
    const [damage] = findFileDamage(db)
    if (damage !== undefined)
      throw new OpenError('damaged', `${file} is damaged and was not restored: ${damage}.`)
    return findRecordDamage(db)
  } catch (error) {
    throw error instanceof OpenError ? error : explainBackup(error, file)
  } finally {
    db?.close()
  }
}

function copyDatabase(file: string, copy: string) {
  try {
    readFrom(file, file, (source) => {
      source.pragma('synchronous = OFF')
      source.prepare('VACUUM INTO ?').run(copy)
    })
  } catch (error) {
    // A database in WAL mode can't be opened where nothing can be written beside it.
    if (!/^SQLITE_(CANTOPEN|READONLY)/.test(String((error as { code?: unknown }).code))) throw error
    // What isn't in the file yet, or was not to be in it, stands beside it.
    for (const part of ['', '-wal', '-journal'])
      if (statSync(file + part, { throwIfNoEntry: false })?.isFile()) {
        copyFileSync(file + part, copy + part)
        // It comes with the other’s mode, by which nobody may be allowed to write to it, or everybody to read it.
        chmodSync(copy + part, 0o600)
      }
    readFrom(copy, file, () => {}, false)
  }
}

/**
 * Nobody needs the copy after a power cut, and to have all of it on the disk at once would hold up what a server commits.
 * The way it is opened is set ahead, since to change that has it synced.
 */
function leaveToSystem(copy: string) {
  const db = new Database(copy)
  try {
    db.pragma('synchronous = OFF')
    db.pragma('journal_mode = WAL')
  } finally {
    db.close()
  }
}

/** @throws OpenError if it isn't Galley's, or is a newer one */
function readFrom(file: string, name: string, work: (db: Db) => void, readonly = true) {
  const db = new Database(file, { readonly, fileMustExist: true })
  try {
    if (!isGalleys(db)) throw new OpenError('not galley', `${name} is not a backup of Galley’s.`)
    refuseNewer(db, name)
    work(db)
  } finally {
    db.close()
  }
}

function explainBackup(error: unknown, file: string): OpenError {
  const code = String((error as { code?: unknown }).code)
  if (code === 'SQLITE_NOTADB')
    return new OpenError('not galley', `${file} is not a backup of Galley’s.`, error)
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new OpenError('damaged', `${file} is damaged and was not restored.`, error)
  }
  return explainOpening(error, file)
}

/** Removes what `readBackup` made. */
export function removeCopy(copy: string) {
  for (const part of [copy, `${copy}-wal`, `${copy}-shm`, `${copy}-journal`]) rmSync(part, { force: true })
}
