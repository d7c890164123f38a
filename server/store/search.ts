import type { Db } from './database.ts'
import type { DocumentSummaryRow } from './documents.ts'
import { findSnippet } from './snippet.ts'
import { matchExpression, searchable, searchTerms } from './search-terms.ts'

/**
 * Full-text search. Writers don't wait for the index: a change only leaves its document marked as not indexed, and
 * `index` catches up, in the background and before each search, so that a search always sees everything written.
 */
export function searchStore(db: Db) {
  const pending = db.prepare<[number], { number: number; title: string; content: string }>(
    'SELECT number, title, content FROM documents WHERE indexed = 0 LIMIT ?',
  )
  const remove = db.prepare('DELETE FROM documents_fts WHERE rowid = ?')
  const insert = db.prepare('INSERT INTO documents_fts (rowid, title, content) VALUES (?, ?, ?)')
  const mark = db.prepare('UPDATE documents SET indexed = 1 WHERE number = ?')
  const match = db.prepare<[string, string, number, number], DocumentSummaryRow & { content: string }>(
    `SELECT d.id, d.title, d.created_at, d.updated_at, d.content FROM documents_fts f JOIN documents d ON d.number = f.rowid
     WHERE documents_fts MATCH ? AND d.owner_id = ? ORDER BY f.rank LIMIT ? OFFSET ?`,
  )
  const indexSome = db.transaction((most: number): number => {
    const rows = pending.all(most)
    for (const row of rows) {
      remove.run(row.number)
      insert.run(row.number, searchable(row.title), searchable(row.content))
      mark.run(row.number)
    }
    return rows.length
  })

  return {
    /** Indexes up to `most` changed documents; how many it did. */
    index: (most: number) => indexSome.immediate(most),
    /** The owner's documents that hold all the words of `query`, the best first, each with a snippet. */
    find(
      ownerId: string,
      query: string,
      limit: number,
      offset: number,
    ): (DocumentSummaryRow & { snippet: string })[] {
      while (indexSome.immediate(200) === 200);
      const terms = searchTerms(query)
      if (terms.length === 0) return []
      return match.all(matchExpression(terms), ownerId, limit, offset).map(({ content, ...row }) => ({
        ...row,
        snippet: findSnippet(content, terms),
      }))
    },
  }
}
