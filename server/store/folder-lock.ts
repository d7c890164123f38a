import Database from 'better-sqlite3'
import { existsSync } from 'node:fs'
import { isBusy } from './database-trouble.ts'
import { OpenError } from './open-error.ts'

/**
 * Holds a data folder for one server. The lock is SQLite's own lock on a file that holds nothing else: the operating
 * system lets go of it however the process ends, so no crash leaves a folder locked.
 * @param holder who holds it, as far as is known, for the message
 * @throws OpenError `in use`
 */
export function lockFolder(file: string, holder: () => string): { release(): void } {
  // As long as somebody may be looking whether it is held.
  const db = new Database(file, { timeout: 300 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error
    throw new OpenError('in use', holder(), error)
  }
  return { release: () => db.close() }
}

/** Whether a server, or what keeps servers away, holds the lock now. What is written anywhere may be of a dead one. */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false
  const db = new Database(file, { readonly: true, timeout: 0 })
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    db.close()
  }
}
