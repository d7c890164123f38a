import Database from 'better-sqlite3'
import type { Db } from './database.ts'

/**
 * Gives the system back what is held in memory and not needed for long work any more: SQLite's pages, which are read
 * again when they are wanted, and what the C library keeps of what was freed. For when little is done: it may take some
 * ten milliseconds.
 */
export function releaseMemory(db: Db): void {
  db.pragma('shrink_memory')
  trimHeap()
}

/**
 * Once a large piece of memory has been freed, glibc no longer asks the system for pieces of that size, and gives back
 * nothing of its heap that has something in use behind it: a hundred megabytes after some texts of 9 MB. It has
 * `malloc_trim` for that, which Node offers no way to call. SQLite calls whatever function of a library it is told to load,
 * and then says that it was no extension. With another C library there is no such function, and nothing happens.
 */
function trimHeap() {
  // Another system might look for a file of that name where anybody can put one.
  if (process.platform !== 'linux') return
  // Its types don't know that it takes the function's name.
  const db: { loadExtension(file: string, entry: string): unknown; close(): unknown } = new Database(
    ':memory:',
  )
  try {
    db.loadExtension('libc.so.6', 'malloc_trim')
  } catch {
    // It always says so.
  } finally {
    db.close()
  }
}
