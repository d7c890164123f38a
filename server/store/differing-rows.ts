import type Database from 'better-sqlite3'

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
  /** What its rows are known by within one database and its copies, page by page. */
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
    place: isWithoutRowid ? key : ['rowid'],
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
 * Columns that follow from a document’s row and its log, and are nearly all there is to read. Where neither of these has
 * changed, it is enough to see that such a column is as long as it was, which is read without it.
 */
const following = new Map([
  ['keyframes', ['content']],
  ['renders', ['facts', 'html']],
])
/** This one is never written but with its document’s row, so where that hasn’t changed it isn’t looked at. */
const together = 'document_starts'

/**
 * Brings all tables up to what is in the database at `present`, row by row.
 * @returns does it, and answers the keys of the rows that it took or removed
 */
export function rowsTaker(db: Database.Database): () => RowKeys {
  db.exec('CREATE TEMP TABLE taken_documents (number INTEGER PRIMARY KEY)')
  const add = db.prepare('INSERT OR IGNORE INTO temp.taken_documents SELECT value FROM json_each(?)')
  const first = ['documents', 'changes']
  const tables = [...first, ...tablesOf(db).filter((table) => !first.includes(table))]
  const takes = tables.map((table) => [table, rowTaker(db, table)] as const)
  return () => {
    db.exec('DELETE FROM temp.taken_documents')
    return new Map(
      takes.map(([table, take]) => {
        const keys = take()
        if (first.includes(table)) add.run(JSON.stringify(keys.map(([document]) => document)))
        return [table, keys]
      }),
    )
  }
}

/**
 * Brings a table of a copy, page by page, up to what is in the database at `present`, row by row, so that what hasn't
 * changed is only read. A document that has changed is to be indexed anew: the copy's search index stays behind.
 * @returns does it, and answers the keys of the rows that it took or removed
 */
function rowTaker(db: Database.Database, table: string): () => unknown[][] {
  const { columns, key, place } = shapeOf(db, table)
  const names = [...new Set([...place, ...columns])]
  const isDocuments = table === 'documents'
  const long = following.get(table) ?? []
  const isSame = [
    same(names.filter((name) => !long.includes(name) && !(isDocuments && name === 'indexed'))),
    ...(isDocuments ? ['ours.indexed <= theirs.indexed'] : []),
    ...long.map((name) => `octet_length(ours.${name}) = octet_length(theirs.${name})`),
    // With OR both sides are read, whatever the first one says.
    ...long.map(
      (name) =>
        `CASE WHEN ours.document IN temp.taken_documents THEN ours.${name} IS theirs.${name} ELSE 1 END`,
    ),
  ].join(' AND ')
  const isTold = table === together ? 'document IN temp.taken_documents AND' : ''
  const values = names.map((name) => (isDocuments && name === 'indexed' ? '0' : `theirs.${name}`))
  const prepare = (sql: string) => db.prepare<[], unknown[]>(`${sql} RETURNING ${key.join(', ')}`).raw()
  // Looked for as if nothing were written, which lets it be read where it is in memory.
  const remove = prepare(
    `DELETE FROM main.${table} WHERE (${place.join(', ')}) IN (SELECT ${place.join(', ')} FROM main.${table} AS ours
       WHERE ${isTold} NOT EXISTS (SELECT 1 FROM present.${table} AS theirs WHERE ${isSame}))`,
  )
  const take = prepare(
    `INSERT INTO main.${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM present.${table} AS theirs
     WHERE ${isTold} NOT EXISTS (SELECT 1 FROM main.${table} AS ours WHERE ${same(place)})`,
  )
  return () => [...remove.all(), ...take.all()]
}

/** Whatever is made of documents that are gone or others now goes: their keys are what `SELECT` finds. */
export const unmake = (documents: string) => `
  DELETE FROM main.search_parts WHERE document IN (${documents});
  DELETE FROM main.search_words_due WHERE document IN (${documents})`
