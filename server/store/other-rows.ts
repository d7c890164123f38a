import type { Db } from './database.ts'
import { differing, shapeOf, type RowKeys } from './differing-rows.ts'

/** By what rows are shown in order; those of one moment are in the order in which they were written. */
const orders = new Map([
  ['comments', 'created_at'],
  ['suggestions', 'created_at'],
  ['users', 'created_at'],
  ['share_links', 'created_at'],
  ['rounds', 'created_at'],
  ['api_keys', 'created_at'],
  ['link_visits', 'opened_at'],
])

/**
 * A document that the backup has, too, isn’t deleted and written anew but changed, as by an edit: what is in the search
 * index of it goes when it is indexed, not while others wait.
 */
const isGone = 'AND (number, id) NOT IN (SELECT number, id FROM backup.documents)'

export type OtherRows = ReturnType<typeof otherRows>

/**
 * The keys of rows in which the database differs from the one that is attached as `backup`, in temporary tables; what
 * is in them too much costs time and nothing else.
 */
export function otherRows(db: Db, tables: readonly string[]) {
  const shapes = new Map(tables.map((table) => [table, shapeOf(db, table)]))
  const keyOf = (table: string) => shapes.get(table)!.key.join(', ')
  const isOther = (table: string) => `(${keyOf(table)}) IN (SELECT ${keyOf(table)} FROM temp.other_${table})`
  for (const table of tables)
    db.exec(
      `CREATE TEMP TABLE other_${table} AS SELECT ${keyOf(table)} FROM main.${table} WHERE 0;
       CREATE UNIQUE INDEX temp.other_${table}_once ON other_${table} (${keyOf(table)})`,
    )

  /** With one row its neighbours of the same moment are written anew, so that all are in the backup’s order. */
  function findNeighbours() {
    for (const [table, at] of orders) {
      const moments = ['main', 'backup'].map(
        (schema) => `SELECT ${at} FROM ${schema}.${table} WHERE ${isOther(table)}`,
      )
      db.exec(
        `INSERT OR IGNORE INTO temp.other_${table}
           SELECT ${keyOf(table)} FROM main.${table} WHERE ${at} IN (${moments.join(' UNION ')})`,
      )
    }
  }

  /**
   * Kept texts and pages may have come meanwhile, and told nobody: all of a document’s go where the document, its log or
   * one of them is another.
   */
  function findMadeOfLogs() {
    for (const table of ['keyframes', 'renders']) {
      const documents = `SELECT number FROM temp.other_documents UNION SELECT document FROM temp.other_changes
        UNION SELECT document FROM temp.other_${table}`
      for (const schema of ['main', 'backup'])
        db.exec(
          `INSERT OR IGNORE INTO temp.other_${table}
             SELECT ${keyOf(table)} FROM ${schema}.${table} WHERE document IN (${documents})`,
        )
    }
  }

  return {
    /** Finds them by another database that is attached as `schema` and was the same. */
    find(schema: string) {
      for (const [table, shape] of shapes)
        db.exec(`INSERT OR IGNORE INTO temp.other_${table} ${differing(table, shape, schema, 'backup')}`)
    },
    add(rows: RowKeys) {
      for (const [table, keys] of rows) {
        if (keys.length === 0 || !shapes.has(table)) continue
        const values = keys[0]!.map(() => '?').join(', ')
        const add = db.prepare(`INSERT OR IGNORE INTO temp.other_${table} VALUES (${values})`)
        for (const key of keys) add.run(...key)
      }
    },
    /** Makes them what they are in the backup. The search index is to be made anew of the documents among them. */
    replace() {
      findNeighbours()
      findMadeOfLogs()
      // The bytes of files stay where they are, and go when their time has come.
      for (const table of tables.filter((name) => name !== 'blobs'))
        db.exec(`DELETE FROM main.${table} WHERE ${isOther(table)} ${table === 'documents' ? isGone : ''}`)
      for (const [table, { columns, place }] of shapes) {
        const values = columns.map((column) => (table === 'documents' && column === 'indexed' ? '0' : column))
        const insert = table === 'blobs' ? 'INSERT OR REPLACE' : 'INSERT'
        const set = columns.map((column) => `${column} = excluded.${column}`).join(', ')
        const upsert = table === 'documents' ? `ON CONFLICT (number) DO UPDATE SET ${set}` : ''
        db.exec(
          `${insert} INTO main.${table} (${columns.join(', ')})
             SELECT ${values.join(', ')} FROM backup.${table} WHERE ${isOther(table)}
             ORDER BY ${place.join(', ')} ${upsert}`,
        )
      }
    },
    forget() {
      for (const table of tables) db.exec(`DROP TABLE IF EXISTS temp.other_${table}`)
    },
  }
}
