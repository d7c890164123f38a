import Database from 'better-sqlite3'
import { closeSync, openSync, writeSync } from 'node:fs'

/** Overwrites one of the pages that hold a table, or an index, of a database that nobody has open: the middle one, or another by its place. */
export function damagePage(file: string, of: string, place = 0.5) {
  const db = new Database(file)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const size = db.pragma('page_size', { simple: true }) as number
  const pages = db
    .prepare<[string], number>(
      "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno",
    )
    .pluck()
    .all(of)
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(
    handle,
    Buffer.alloc(size, 0x5a),
    0,
    size,
    (pages[Math.min(pages.length - 1, Math.floor(pages.length * place))]! - 1) * size,
  )
  closeSync(handle)
}
