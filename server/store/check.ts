import type { Anchor } from '../contract/records/anchors.ts'
import { isInsertion } from '../domain/anchors/insertion-place.ts'
import { shownName } from '../domain/shown-name.ts'
import { longText } from '../domain/text-parts.ts'
import Database from 'better-sqlite3'
import { currentSchema, schemaVersion, type Db } from './database.ts'
import { logCheck, type CheckedDocument } from './log-check.ts'
import { migrations, runMigration } from './migrations/index.ts'
import { unlessUnreadable } from './readable.ts'

const counted = [
  'users',
  'documents',
  'versions',
  'changes',
  'comments',
  'suggestions',
  'share_links',
] as const
export interface DatabaseReport {
  /** One line each. */
  findings: string[]
  /** null where they can't be counted. */
  counts: Record<(typeof counted)[number], number | null>
}

export const countedNothing = () =>
  Object.fromEntries(counted.map((table) => [table, null])) as DatabaseReport['counts']

/**
 * Looks through the whole database for damage, as it is at one moment; writes nothing. An older database is checked
 * as far as SQLite can tell: what its records must obey is known for the present schema only.
 */
export function checkDatabase(
  db: Db,
  onDocument: (done: number, of: number) => void = () => {},
): DatabaseReport {
  const counts = countedNothing()
  const findings: string[] = []
  const look = () => {
    findings.push(...findFileDamage(db))
    for (const table of counted) {
      const count = db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck()
      counts[table] = unlessUnreadable(() => count.get()!) ?? null
    }
    if (schemaVersion(db) === currentSchema) findings.push(...findRecordDamage(db, onDocument))
  }
  try {
    db.exec('BEGIN')
    look()
  } catch (error) {
    findings.push(`the rest could not be read: ${(error as Error).message}`)
  } finally {
    // Damage that was met keeps it from being committed.
    if (db.inTransaction) db.exec('ROLLBACK')
  }
  return { findings, counts }
}

/** What SQLite itself can tell: pages, indexes, the search index, references, and whether all tables are there. */
export function findFileDamage(db: Db): string[] {
  db.pragma('cell_size_check = ON')
  return [...findBroken(db), ...findMissingReferences(db), ...findMissingSchema(db)]
}

/** Where a page is damaged so that SQLite breaks off, each table is looked at by itself. */
function findBroken(db: Db): string[] {
  const all = unlessUnreadable(() => integrityOf(db))
  if (all) return all
  const found = tablesOf(db).flatMap(
    (table) => unlessUnreadable(() => integrityOf(db, table)) ?? [`the table ${table} can’t all be read`],
  )
  return found.length > 0 ? found : ['the database can’t all be read']
}

const integrityOf = (db: Db, table?: string): string[] =>
  (
    db.pragma(table === undefined ? 'integrity_check' : `integrity_check("${table}")`) as {
      integrity_check: string
    }[]
  )
    .map((row) => row.integrity_check.replace(/\s+/g, ' '))
    .filter((line) => line !== 'ok')

const tablesOf = (db: Db) =>
  db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all()

function findMissingReferences(db: Db): string[] {
  const read = (of: string) =>
    unlessUnreadable(() => db.pragma(of) as { table: string; rowid: number | null; parent: string }[])
  // What can't be read of a table is said of that.
  const references =
    read('foreign_key_check') ?? tablesOf(db).flatMap((table) => read(`foreign_key_check("${table}")`) ?? [])
  return references.map(
    ({ table, rowid, parent }) => `${table}, row ${rowid ?? '?'}: refers to something missing in ${parent}`,
  )
}

interface SchemaPart {
  type: string
  name: string
  sql: string
}
/** The tables, indexes and triggers; not those that SQLite makes for its own use. */
const schemaOf = (db: Db) =>
  db
    .prepare<[], SchemaPart>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL
       AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')`,
    )
    .all()

function findMissingSchema(db: Db): string[] {
  const model = new Database(':memory:')
  try {
    for (const step of migrations.slice(0, schemaVersion(db))) runMigration(model, step)
    const present = new Map(schemaOf(db).map(({ name, sql }) => [name, sql]))
    return schemaOf(model)
      .filter(({ name, sql }) => present.get(name) !== sql)
      .map(
        ({ name, type }) => `the ${type} ${name} is ${present.has(name) ? 'not as it should be' : 'missing'}`,
      )
  } finally {
    model.close()
  }
}

/** What Galley's own rules promise about documents, their log, versions and anchors. */
export function findRecordDamage(
  db: Db,
  onDocument: (done: number, of: number) => void = () => {},
): string[] {
  const byNumber = db.prepare<[number], CheckedDocument>(
    'SELECT number, id, title, revision, length, indexed, hash FROM documents WHERE number = ?',
  )
  const checks = [logCheck(db), anchorCheck(db), indexCheck(db)]
  const findings: string[] = []
  const numbers = documentNumbers(db)
  for (const [done, number] of numbers.entries()) {
    const document = unlessUnreadable(() => byNumber.get(number))
    if (document)
      for (const check of checks) {
        const found = unlessFailed(() => check(document))
        findings.push(...found.map((finding) => `${nameOf(document)}: ${finding}`))
      }
    else findings.push(`the document with number ${number} can’t be read`)
    onDocument(done + 1, numbers.length)
  }
  return [...findings, ...unlessFailed(() => findStrays(db), 'the search index ')]
}

/** Whatever keeps one check from being made, others are. */
function unlessFailed(check: () => string[], subject = ''): string[] {
  try {
    return check()
  } catch (error) {
    return [`${subject}could not be read: ${(error as Error).message}`]
  }
}

/** Those that can be read, or are named by what belongs to them. */
function documentNumbers(db: Db): number[] {
  const numbers = new Set<number>()
  for (const sql of ['number FROM documents', 'document FROM versions', 'document FROM keyframes'])
    unlessUnreadable(() => {
      for (const number of db.prepare<[], number>(`SELECT DISTINCT ${sql}`).pluck().iterate())
        numbers.add(number)
    })
  return [...numbers].sort((a, b) => a - b)
}

function findStrays(db: Db): string[] {
  const count = (sql: string) => db.prepare<[], number>(`SELECT count(*) FROM ${sql}`).pluck().get()!
  const stray = count('documents_fts_docsize WHERE id NOT IN (SELECT number FROM documents)')
  const strayParts = count('search_parts_fts_docsize WHERE id NOT IN (SELECT number FROM search_parts)')
  return [
    ...(stray > 0 ? [`the search index holds ${stray} documents that are gone`] : []),
    ...(strayParts > 0 ? [`the search index holds ${strayParts} parts of texts that are gone`] : []),
  ]
}

/** By which a person knows it, on one line. */
function nameOf({ id, title }: CheckedDocument): string {
  const shown = shownName(title)
  return `document ${id}${shown === '' ? '' : ` “${shown.slice(0, 100).toWellFormed()}”`}`
}

type Check = (document: CheckedDocument) => string[]

function anchorCheck(db: Db): Check {
  const ranges = ['comments', 'suggestions'].map((table) => ({
    table,
    rows: db.prepare<
      [number],
      { id: string; start: number | null; end: number | null; anchor: string | null }
    >(
      `SELECT id, range_start AS start, range_end AS end, anchor FROM ${table} WHERE document = ?${table === 'suggestions' ? " AND status = 'pending'" : ''}`,
    ),
  }))
  const strays = db.prepare<[number], { id: string }>(
    `SELECT c.id FROM comments c JOIN comments p ON p.id = c.parent_id
     WHERE c.document = ? AND (p.document <> c.document OR p.parent_id IS NOT NULL)`,
  )
  const strayReplies = db.prepare<[number], { id: string }>(
    `SELECT c.id FROM comments c JOIN suggestions s ON s.id = c.suggestion_id
     WHERE c.document = ? AND (s.document <> c.document OR c.parent_id IS NOT NULL)`,
  )
  return (document) => {
    const findings = [
      ...strays
        .all(document.number)
        .map(({ id }) => `comment ${id} answers a comment that is no thread of this document`),
      ...strayReplies
        .all(document.number)
        .map(({ id }) => `comment ${id} answers a suggestion that is not of this document`),
    ]
    for (const { table, rows } of ranges) {
      for (const { id, start, end, anchor } of rows.all(document.number)) {
        const name = `${table.slice(0, -1)} ${id}`
        const made = anchor === null ? null : (JSON.parse(anchor) as Anchor)
        if (start === null && end === null) continue
        // What puts something in stands at a place, all else on words.
        const least = made && isInsertion(made) ? 0 : 1
        if (start === null || end === null || start < 0 || end - start < least || end > document.length) {
          findings.push(`${name} stands outside the text`)
        }
      }
    }
    return findings
  }
}

function indexCheck(db: Db): Check {
  const asWhole = db
    .prepare<[number], 0 | 1>('SELECT count(*) FROM documents_fts_docsize WHERE id = ?')
    .pluck()
  const inParts = db
    .prepare<[number, number], 0 | 1>(
      `SELECT count(*) > 0 AND min(s.id IS NOT NULL AND p.revision = ?) FROM search_parts p
       LEFT JOIN search_parts_fts_docsize s ON s.id = p.number WHERE p.document = ?`,
    )
    .pluck()
  return ({ number, revision, length, indexed }) => {
    if (indexed === 0) return []
    const isThere = length > longText ? inParts.get(revision, number) : asWhole.get(number)
    return isThere ? [] : ['it is missing from the search index']
  }
}
