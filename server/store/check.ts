import Database from 'better-sqlite3'
import { applyChanges, changesFromJson, contentHash } from '../domain/change-set.ts'
import { currentSchema, schemaVersion, type Db } from './database.ts'
import { migrations } from './migrations/index.ts'
import { versionStore } from './versions.ts'

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
    for (const step of migrations.slice(0, schemaVersion(db))) model.exec(step)
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

interface CheckedDocument {
  number: number
  id: string
  content: string
  revision: number
  indexed: 0 | 1
  hash: number
}

/** What Galley's own rules promise about documents, their log, versions and anchors. */
export function findRecordDamage(
  db: Db,
  onDocument: (done: number, of: number) => void = () => {},
): string[] {
  const numbers = db.prepare('SELECT number FROM documents ORDER BY number').pluck().all() as number[]
  const byNumber = db.prepare<[number], CheckedDocument>(
    'SELECT number, id, content, revision, indexed, hash FROM documents WHERE number = ?',
  )
  const checks = [textCheck(), versionCheck(db), logCheck(db), anchorCheck(db), indexCheck(db)]
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
      findings.push(...found.map((finding) => `document ${document.id}: ${finding}`))
    }
    onDocument(done + 1, numbers.length)
  }
  const strays = db.prepare(
    'SELECT count(*) FROM documents_fts_docsize WHERE id NOT IN (SELECT number FROM documents)',
  )
  const stray = strays.pluck().get() as number
  if (stray > 0) findings.push(`the search index holds ${stray} documents that are gone`)
  return findings
}

type Check = (document: CheckedDocument) => string[]

const textCheck = (): Check => (document) =>
  contentHash(document.content) === document.hash ? [] : ['its text is not the one that was saved']

function versionCheck(db: Db): Check {
  const all = db.prepare<[number], { revision: number; size: number; has_text: 0 | 1 }>(
    'SELECT revision, size, content IS NOT NULL AS has_text FROM versions WHERE document = ? ORDER BY revision DESC',
  )
  const store = versionStore(db)
  return (document) => {
    const [head, ...older] = all.all(document.number)
    if (!head) return ['it has no version']
    const findings: string[] = []
    if (head.revision > document.revision)
      findings.push(`its newest version is of a later revision than itself`)
    if (head.has_text) findings.push('its newest version is missing')
    else if (head.size !== document.content.length) findings.push('its newest version is of another text')
    for (const { revision, size, has_text } of older) {
      const text = has_text ? store.find(document.number, revision)?.content : undefined
      if (text === undefined || text === null) findings.push(`version ${revision} has lost its text`)
      else if (text.length !== size)
        findings.push(`version ${revision} has another length than it was saved with`)
    }
    return findings
  }
}

/** Where the log has them, the changes between two stored texts must turn the one into the other. */
function logCheck(db: Db): Check {
  const entries = db.prepare<[number], { revision: number; length: number; hash: number; changes: string }>(
    'SELECT revision, length, hash, changes FROM changes WHERE document = ? ORDER BY revision',
  )
  const store = versionStore(db)
  return (document) => {
    const findings: string[] = []
    const textAt = (revision: number) => {
      const version = store.find(document.number, revision)
      return version?.content ?? (version || revision === document.revision ? document.content : null)
    }
    let text: string | null = null
    let previous: number | null = null
    for (const entry of entries.all(document.number)) {
      if (previous !== null && entry.revision !== previous + 1) {
        findings.push(`its log goes from revision ${previous} to ${entry.revision}`)
        text = null
      }
      previous = entry.revision
      text ??= textAt(entry.revision - 1)
      const changes = changesFromJson(JSON.parse(entry.changes))
      let sound = changes.newLength === entry.length
      if (text !== null) {
        sound &&= changes.length === text.length
        if (sound) text = applyChanges(text, changes)
        sound &&= contentHash(text) === entry.hash && (textAt(entry.revision) ?? text) === text
      }
      if (!sound) {
        findings.push(`its log does not lead to revision ${entry.revision}`)
        text = null
      }
    }
    if (previous !== null && previous !== document.revision) {
      findings.push(`its log ends at revision ${previous}, it is at ${document.revision}`)
    }
    return findings
  }
}

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
  return (document) => {
    const findings = strays
      .all(document.number)
      .map(({ id }) => `comment ${id} answers a comment that is no thread of this document`)
    for (const { table, rows } of ranges) {
      for (const { id, start, end, anchor } of rows.all(document.number)) {
        const name = `${table.slice(0, -1)} ${id}`
        if (anchor !== null) JSON.parse(anchor)
        if (start === null && end === null) continue
        if (start === null || end === null || start < 0 || start >= end || end > document.content.length) {
          findings.push(`${name} stands outside the text`)
        }
      }
    }
    return findings
  }
}

function indexCheck(db: Db): Check {
  const indexed = db.prepare<[number]>('SELECT 1 FROM documents_fts_docsize WHERE id = ?')
  return (document) =>
    document.indexed === 1 && !indexed.get(document.number) ? ['it is missing from the search index'] : []
}
