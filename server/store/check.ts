import type { Anchor } from '../contract/records/anchors.ts'
import { isInsertion } from '../domain/anchors/insertion-place.ts'
import { shownName } from '../domain/shown-name.ts'
import { longText } from '../domain/text-parts.ts'
import Database from 'better-sqlite3'
import { currentSchema, schemaVersion, type Db } from './database.ts'
import { logCheck, type CheckedDocument } from './log-check.ts'
import { migrations, runMigration } from './migrations/index.ts'

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
  counts: Record<(typeof counted)[number], number>
}

/**
 * Looks through the whole database for damage, as it is at one moment; writes nothing. An older database is checked
 * as far as SQLite can tell: what its records must obey is known for the present schema only.
 */
export function checkDatabase(
  db: Db,
  onDocument: (done: number, of: number) => void = () => {},
): DatabaseReport {
  const counts = Object.fromEntries(counted.map((table) => [table, 0])) as DatabaseReport['counts']
  const findings: string[] = []
  const look = db.transaction(() => {
    findings.push(...findFileDamage(db))
    for (const table of counted) {
      counts[table] = db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number
    }
    if (schemaVersion(db) === currentSchema) findings.push(...findRecordDamage(db, onDocument))
  })
  try {
    look()
  } catch (error) {
    findings.push(`the rest could not be read: ${(error as Error).message}`)
  }
  return { findings, counts }
}

/** What SQLite itself can tell: pages, indexes, the search index, references, and whether all tables are there. */
export function findFileDamage(db: Db): string[] {
  db.pragma('cell_size_check = ON')
  const said = db.pragma('integrity_check') as { integrity_check: string }[]
  const broken = said.map((row) => row.integrity_check).filter((line) => line !== 'ok')
  const references = db.pragma('foreign_key_check') as {
    table: string
    rowid: number | null
    parent: string
  }[]
  return [
    ...broken.map((line) => line.replace(/\s+/g, ' ')),
    ...references.map(
      ({ table, rowid, parent }) => `${table}, row ${rowid ?? '?'}: refers to something missing in ${parent}`,
    ),
    ...findMissingSchema(db),
  ]
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
  const numbers = db.prepare('SELECT number FROM documents ORDER BY number').pluck().all() as number[]
  const byNumber = db.prepare<[number], CheckedDocument>(
    'SELECT number, id, title, revision, length, indexed, hash FROM documents WHERE number = ?',
  )
  const checks = [logCheck(db), anchorCheck(db), indexCheck(db)]
  const findings: string[] = []
  for (const [done, number] of numbers.entries()) {
    const document = byNumber.get(number)!
    for (const check of checks) {
      let found: string[]
      try {
        found = check(document)
      } catch (error) {
        found = [`could not be read: ${(error as Error).message}`]
      }
      findings.push(...found.map((finding) => `${nameOf(document)}: ${finding}`))
    }
    onDocument(done + 1, numbers.length)
  }
  const strays = db.prepare(
    'SELECT count(*) FROM documents_fts_docsize WHERE id NOT IN (SELECT number FROM documents)',
  )
  const stray = strays.pluck().get() as number
  if (stray > 0) findings.push(`the search index holds ${stray} documents that are gone`)
  const strayParts = db
    .prepare(
      'SELECT count(*) FROM search_parts_fts_docsize WHERE id NOT IN (SELECT number FROM search_parts)',
    )
    .pluck()
    .get() as number
  if (strayParts > 0) findings.push(`the search index holds ${strayParts} parts of texts that are gone`)
  return findings
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
