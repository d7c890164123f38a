import { closeSync, openSync, readdirSync, readSync, type Dirent } from 'node:fs'
import path from 'node:path'
import { inflateRawSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { redactLog } from '../domain/redact-log.ts'
import { redactSaid } from '../domain/redact-said.ts'
import type { ReplayedEntry } from '../domain/replay.ts'
import type { Db } from './database.ts'
import { isPipe } from './is-pipe.ts'
import { shortId } from './short-id.ts'

export interface BackupSearch {
  /** Where Galley keeps its backups. */
  folder: string
  /** Of the document. */
  id: string
  /** What is looked for anywhere; or the document as it was before a revision. */
  passage?: string | undefined
  before?: number | undefined
}
export interface HoldingBackups {
  /** Names of files, from the folder on. */
  holding: string[]
  /** Those that could not be read. */
  unread: string[]
  looked: number
}

/** Which of the copies in a folder still hold what was forgotten. Nothing is written. */
export function holdingBackups({ folder, id, passage, before }: BackupSearch): HoldingBackups {
  const { names, unread } = databasesIn(folder)
  const found: HoldingBackups = { holding: [], unread, looked: names.length }
  for (const name of names.toSorted()) {
    let db: Db | undefined
    try {
      db = new Database(path.join(folder, name), { readonly: true, fileMustExist: true })
      const holds =
        passage === undefined
          ? hasBefore(db, id, before ?? 0)
          : isAnywhere(db, id, passage) || isInLog(db, id, passage)
      if (holds || isUnclean(db)) found.holding.push(name)
    } catch {
      found.unread.push(name)
    } finally {
      db?.close()
    }
  }
  return found
}

/**
 * Whatever they are called: by how a file begins. One that can’t be read, or says by its name that it is one, is tried.
 * Where what there is can’t be told, as in a disk’s `lost+found`, the folder is named instead.
 */
function databasesIn(folder: string) {
  const found = { names: [] as string[], unread: [] as string[] }
  const lookInto = (within: string, entries: Dirent[]) => {
    for (const one of entries) {
      const name = path.posix.join(within, one.name)
      const file = path.join(folder, name)
      // A damaged database that a restore has set aside: what isn’t found there may be there all the same.
      const isSetAside = within === '' && name.startsWith('damaged-')
      if (one.isDirectory()) {
        const inside = isSetAside ? null : entriesOf(file)
        if (inside) lookInto(name, inside)
        else found.unread.push(name)
      } else if (one.isFile() || (one.isSymbolicLink() && !leadsToPipe(file)))
        if (name.endsWith('.db') || beginsAsDatabase(file)) found.names.push(name)
    }
  }
  lookInto('', readdirSync(folder, { withFileTypes: true }))
  return found
}

/** What can’t be looked at is tried, and named then. */
function leadsToPipe(link: string): boolean {
  try {
    return isPipe(link)
  } catch {
    return false
  }
}

function entriesOf(folder: string): Dirent[] | null {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return null
  }
}

function beginsAsDatabase(file: string): boolean {
  try {
    const opened = openSync(file, 'r')
    try {
      const start = Buffer.alloc(16)
      readSync(opened, start, 0, 16, 0)
      return start.toString('latin1') === 'SQLite format 3\0'
    } finally {
      closeSync(opened)
    }
  } catch {
    return true
  }
}

/** Whether something was forgotten before it was copied that its file may still have, beside its tables. */
function isUnclean(db: Db): boolean {
  const knows = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'cleanings'").get() !== undefined
  return knows && db.prepare('SELECT 1 FROM cleanings').get() !== undefined
}

/** Whether a version or a change of the document from before that revision is there. */
function hasBefore(db: Db, id: string, revision: number): boolean {
  return ['versions', 'changes'].some(
    (table) =>
      db
        .prepare(
          `SELECT 1 FROM ${table} WHERE document = (SELECT number FROM documents WHERE id = ?) AND revision < ? LIMIT 1`,
        )
        .get(id, revision) !== undefined,
  )
}

/** Whether a row of the document, in any table, has it: as it is, as JSON has it, or packed. */
function isAnywhere(db: Db, id: string, passage: string): boolean {
  const inJson = JSON.stringify(passage).slice(1, -1)
  const redact = redactSaid(passage)
  const has = (value: unknown): boolean => {
    if (typeof value === 'string') return value.includes(inJson) || redact(value) !== value
    if (!Buffer.isBuffer(value)) return false
    if (value.includes(passage)) return true
    try {
      return inflateRawSync(value).toString('utf8').includes(passage)
    } catch {
      return false
    }
  }
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all()
  for (const table of tables) for (const row of rowsOf(db, table, id)) if (row.some(has)) return true
  return false
}

function* rowsOf(db: Db, table: string, id: string): Iterable<unknown[]> {
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
  const where = whereOf(table, columns)
  if (where === null) return
  yield* db
    .prepare<[unknown], unknown[]>(`SELECT * FROM "${table}" WHERE ${where}`)
    .raw()
    .iterate(table === 'events' ? shortId(id) : id)
}

/** What tells a table’s rows of a document, by its id; null where no row is of any. */
function whereOf(table: string, columns: readonly string[]): string | null {
  const number = '(SELECT number FROM documents WHERE id = ?)'
  if (table === 'documents') return 'id = ?'
  if (columns.includes('document')) return `document = ${number}`
  if (table === 'events') return 'document_id = ?'
  if (table === 'webhook_deliveries') return 'lane = ?'
  // Visits by its links, and who was done with a round there.
  return columns.includes('link') ? `link IN (SELECT id FROM share_links WHERE document = ${number})` : null
}

/** Whether the document’s log leads to it anywhere, as where it was typed letter by letter. */
function isInLog(db: Db, id: string, passage: string): boolean {
  const columns = db.pragma('table_info(changes)') as { name: string }[]
  if (!columns.some(({ name }) => name === 'base')) return false
  const number = db.prepare<[string], number>('SELECT number FROM documents WHERE id = ?').pluck().get(id)
  if (number === undefined) return false
  const entries = db
    .prepare<[number], ReplayedEntry>(
      'SELECT revision, base, length, hash, changes FROM changes WHERE document = ? ORDER BY revision',
    )
    .all(number)
  const kept = db.prepare<[number, number], string | Buffer>(
    'SELECT content FROM keyframes WHERE document = ? AND revision = ?',
  )
  const keyframeAt = (revision: number) => {
    const content = kept.pluck().get(number, revision)
    if (content === undefined) return null
    return typeof content === 'string' ? content : inflateRawSync(content).toString('utf8')
  }
  return redactLog({ passage, entries, keyframeAt }).found > 0
}
