import type Database from 'better-sqlite3'
import { longId, type ShortId } from './short-id.ts'

/** What is made anew from the documents, and may lag behind them. */
const made = ['search_words', 'search_words_due', 'search_words_sweep', 'search_parts']

/** The tables that hold what people did, rather than what is made of it. */
export const tablesOf = (db: Database.Database): string[] =>
  db
    .prepare<[], string>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all()
    .filter((name) => !made.includes(name))

interface Shape {
  columns: string[]
  /** The columns of the primary key; what has none is known by its place. */
  key: string[]
  /**
   * What its rows are known by within one database and its copies, page by page. Where the key is of several columns, it
   * says in which order the rows are, and their places say nothing.
   */
  place: string[]
}

export function shapeOf(db: Database.Database, table: string): Shape {
  const all = db
    .prepare<[string], { name: string; pk: number }>("SELECT name, pk FROM pragma_table_info(?, 'main')")
    .all(table)
  const { wr: isWithoutRowid } = db
    .prepare("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?")
    .get(table) as { wr: number }
  const key = all.filter(({ pk }) => pk > 0).map(({ name }) => name)
  return {
    columns: all.map(({ name }) => name),
    key: key.length > 0 ? key : ['rowid'],
    place: isWithoutRowid || key.length > 1 ? key : ['rowid'],
  }
}

const same = (columns: readonly string[]) =>
  columns.map((column) => `ours.${column} IS theirs.${column}`).join(' AND ')

/** Which rows of a table there are in only one of two databases, or with another content in each: their keys. */
export function differing(table: string, { columns, key }: Shape, ours: string, theirs: string): string {
  // Whether a text is in the search index is no part of it.
  const content = [...new Set([...key, ...columns])].filter(
    (column) => !(table === 'documents' && column === 'indexed'),
  )
  return `
    SELECT ${key.join(', ')} FROM ${ours}.${table} AS ours
      WHERE NOT EXISTS (SELECT 1 FROM ${theirs}.${table} AS theirs WHERE ${same(content)})
    UNION ALL
    SELECT ${key.join(', ')} FROM ${theirs}.${table} AS theirs
      WHERE NOT EXISTS (SELECT 1 FROM ${ours}.${table} AS ours WHERE ${same(key)})`
}

/** Keys of rows, by their tables. */
export type RowKeys = ReadonlyMap<string, unknown[][]>

/**
 * Nobody writes these but in a transaction that changes their document’s row as well, or says what happened to it.
 * (A test of all routes sees to that.) So what neither tells of isn’t looked at: nearly all rows there are. Pages and
 * kept texts that are only made of a log, when there is time, are the exception; a copy without them misses nothing.
 */
export const told: readonly string[] = ['changes', 'versions', 'document_starts', 'keyframes', 'renders']
/** After one of these anything may be another. */
const changesAnything = ['version.forgotten', 'backup.restored']

/**
 * Brings all tables up to what is in the database at `present`, row by row.
 * @returns does it, and answers the keys of the rows that it took or removed
 */
export function rowsTaker(db: Database.Database): () => RowKeys {
  db.exec('CREATE TEMP TABLE taken_documents (number INTEGER PRIMARY KEY)')
  const takes = (tables: readonly string[], which?: Which) =>
    tables.map((table) => [table, rowTaker(db, table, which)] as const)
  const all = tablesOf(db)
  const isTold = 'document IN temp.taken_documents'
  // They are only added at one end, and go at the other.
  const events = takes(['events'], {
    gone: 'seq < (SELECT min(seq) FROM present.events)',
    come: 'seq > (SELECT coalesce(max(seq), 0) FROM main.events)',
  })
  const documents = takes(['documents'])
  const rest = [
    ...takes(told, { gone: isTold, come: isTold }),
    ...takes(all.filter((table) => !['events', 'documents', ...told].includes(table))),
  ]
  const anything = takes(all)

  const newest = db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM main.events').pluck()
  const isThere = db.prepare<[number], 1>('SELECT 1 FROM present.events WHERE seq = ?').pluck()
  const kindsSince = db
    .prepare<[number], string>('SELECT DISTINCT kind FROM main.events WHERE seq > ?')
    .pluck()
  const subjectsSince = db
    .prepare<[number], ShortId>(
      'SELECT DISTINCT document_id FROM main.events WHERE seq > ? AND document_id IS NOT NULL',
    )
    .pluck()
  const addNumbers = db.prepare('INSERT OR IGNORE INTO temp.taken_documents SELECT value FROM json_each(?)')
  const addIds = db.prepare(
    'INSERT OR IGNORE INTO temp.taken_documents SELECT number FROM main.documents WHERE id IN (SELECT value FROM json_each(?))',
  )

  return () => {
    const taken = new Map<string, unknown[][]>()
    const take = (some: typeof rest) => {
      for (const [table, rows] of some) taken.set(table, [...(taken.get(table) ?? []), ...rows()])
    }
    const since = newest.get()!
    take(events)
    // Where not even the copy’s newest one is left, some may have gone that nobody has looked at.
    const isAnything =
      !isThere.get(since) || kindsSince.all(since).some((kind) => changesAnything.includes(kind))
    if (isAnything) take(anything)
    else {
      take(documents)
      db.exec('DELETE FROM temp.taken_documents')
      addNumbers.run(JSON.stringify(taken.get('documents')!.flat()))
      addIds.run(JSON.stringify(subjectsSince.all(since).map(longId)))
      take(rest)
    }
    return taken
  }
}

/** Which rows are looked at, of those that may have gone and of those that may have come; all, unless it says so. */
interface Which {
  gone: string
  come: string
}

/**
 * Brings a table of a copy, page by page, up to what is in the database at `present`, row by row, so that what hasn't
 * changed is only read. A document that has changed is to be indexed anew: the copy's search index stays behind.
 * @returns does it, and answers the keys of the rows that it took or removed
 */
function rowTaker(
  db: Database.Database,
  table: string,
  { gone, come }: Which = { gone: 'TRUE', come: 'TRUE' },
): () => unknown[][] {
  const { columns, key, place } = shapeOf(db, table)
  const names = [...new Set([...place, ...columns])]
  const isDocuments = table === 'documents'
  const isSame = [
    same(names.filter((name) => !(isDocuments && name === 'indexed'))),
    ...(isDocuments ? ['ours.indexed <= theirs.indexed'] : []),
  ].join(' AND ')
  const values = names.map((name) => (isDocuments && name === 'indexed' ? '0' : `theirs.${name}`))
  const prepare = (sql: string) => db.prepare<[], unknown[]>(`${sql} RETURNING ${key.join(', ')}`).raw()
  // Looked for as if nothing were written, which lets it be read where it is in memory.
  const remove = prepare(
    `DELETE FROM main.${table} WHERE (${place.join(', ')}) IN (SELECT ${place.join(', ')} FROM main.${table} AS ours
       WHERE ${gone} AND NOT EXISTS (SELECT 1 FROM present.${table} AS theirs WHERE ${isSame}))`,
  )
  const take = prepare(
    `INSERT INTO main.${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM present.${table} AS theirs
     WHERE ${come} AND NOT EXISTS (SELECT 1 FROM main.${table} AS ours WHERE ${same(place)})`,
  )
  return () => [...remove.all(), ...take.all()]
}

/** Whatever is made of documents that are gone or others now goes: their keys are what `SELECT` finds. */
export const unmake = (documents: string) => `
  DELETE FROM main.search_parts WHERE document IN (${documents});
  DELETE FROM main.search_words_due WHERE document IN (${documents})`
