import Database from 'better-sqlite3'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import path from 'node:path'

/** The copies that restores made of what was there, by the names they have once they are whole. */
export const isKeptCopy = (name: string) => /^before-restore-.+\.db$/.test(name)

/**
 * Makes one plain file again of a kept copy whose restore was killed: it was being brought up to what others had written,
 * and what it got that way stands in the log beside it. Whoever takes the one file elsewhere takes all of it then.
 */
export function makePlain(folder: string, name: string): void {
  const file = path.join(folder, name)
  if (!isOfFiles(file) || isPlain(file)) return
  // Who reads it meanwhile isn’t waited for; it is plain after the next time.
  const db = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    db.pragma('journal_mode = DELETE')
  } finally {
    db.close()
  }
}

const besides = ['-wal', '-shm', '-journal']
const stateOf = (file: string) => statSync(file, { throwIfNoEntry: false })

/** Whether it and what lies beside it are files: opening a pipe, say, may never come to an end. */
const isOfFiles = (file: string) =>
  ['', ...besides].every((ending) => stateOf(file + ending)?.isFile() ?? ending !== '')

function isPlain(file: string): boolean {
  if (besides.some((ending) => stateOf(file + ending) !== undefined)) return false
  const opened = openSync(file, 'r')
  try {
    // In the header, by what version of SQLite it can be written: 2 is for those that know such a log.
    const version = Buffer.alloc(1)
    readSync(opened, version, 0, 1, 18)
    return version[0] !== 2
  } finally {
    closeSync(opened)
  }
}
