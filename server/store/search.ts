import type { Db } from './database.ts'
import type { DocumentSummaryRow } from './documents.ts'
import { findSnippet } from './snippet.ts'
import { matchExpression, searchable, searchTerms } from './search-terms.ts'

/** One transaction's worth of text to index: about 100 ms in which nobody else is answered. */
const batchCharacters = 2_000_000

/**
 * Full-text search. Writers don't wait for the index: a change only leaves its document marked as not indexed, and
 * `index` catches up, in the background and before each search, so that a search always sees everything written.
 */
export function searchStore(db: Db) {
  const pending = db
    .prepare<[number], number>('SELECT number FROM documents WHERE indexed = 0 LIMIT ?')
    .pluck()
  const text = db.prepare<[number], { title: string; content: string }>(
    'SELECT title, content FROM documents WHERE number = ?',
  )
  const remove = db.prepare('DELETE FROM documents_fts WHERE rowid = ?')
  const insert = db.prepare('INSERT INTO documents_fts (rowid, title, content) VALUES (?, ?, ?)')
  const mark = db.prepare('UPDATE documents SET indexed = 1 WHERE number = ?')
  const match = db.prepare<[string, string, number, number], DocumentSummaryRow & { number: number }>(
    `SELECT d.number, d.id, d.title, d.created_at, d.updated_at FROM documents_fts f JOIN documents d ON d.number = f.rowid
     WHERE documents_fts MATCH ? AND d.owner_id = ? ORDER BY f.rank LIMIT ? OFFSET ?`,
  )
  const indexSome = db.transaction((most: number): boolean => {
    const numbers = pending.all(most)
    let characters = 0
    for (const number of numbers) {
      if (characters >= batchCharacters) return true
      // One text at a time: together they may be larger than memory.
      const { title, content } = text.get(number)!
      remove.run(number)
      insert.run(number, searchable(title), searchable(content))
      mark.run(number)
      characters += content.length
    }
    return numbers.length === most
  })

  return {
    /** Indexes up to `most` changed documents, fewer if they are long; whether some may be left. */
    index: (most: number) => indexSome.immediate(most),
    /** The owner's documents that hold all the words of `query`, the best first, each with a snippet. */
    find(
      ownerId: string,
      query: string,
      limit: number,
      offset: number,
    ): (DocumentSummaryRow & { snippet: string })[] {
      while (indexSome.immediate(200));
      const terms = searchTerms(query)
      if (terms.length === 0) return []
      return match.all(matchExpression(terms), ownerId, limit, offset).map(({ number, ...row }) => ({
        ...row,
        snippet: findSnippet(text.get(number)!.content, terms),
      }))
    },
  }
}
