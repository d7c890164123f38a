import Database from 'better-sqlite3'
import { OpenError } from './open-error.ts'

/**
 * Holds a data folder for one server. The lock is SQLite's own lock on a file that holds nothing else: the operating
 * system lets go of it however the process ends, so no crash leaves a folder locked.
 * @param holder who holds it, as far as is known, for the message
 * @throws OpenError `in use`
 */
export function lockFolder(file: string, holder: () => string): { release(): void } {
  const db = new Database(file, { timeout: 0 })
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
