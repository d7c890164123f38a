import type { Db } from './database.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import type { DocumentSummaryRow } from './documents.ts'
import { findSnippet } from './snippet.ts'
import { matchExpression, searchable, searchTerms } from '../domain/search-terms.ts'
import { inTrash, notInTrash } from './in-trash.ts'

/** One transaction's worth of text to index: some 25 ms in which nobody else is answered. */
const batchCharacters = 500_000
/** What a search reads by itself of what isn't in the index yet; more than this is found once it is. */
const mostUnindexed = 200
const unindexedCharacters = 1_000_000

/**
 * Full-text search. Writers don't wait for the index: a change only leaves its document marked as not indexed, and the
 * index catches up in the background. Searches write nothing and wait for nobody either: what isn't in the index yet
 * they put into one of their own, which is in memory and of this connection only.
 */
export function searchStore(db: Db, deferred: DeferredWrites) {
  openOwnIndex(db)
  const pending = db
    .prepare<[number], number>('SELECT number FROM documents WHERE indexed = 0 LIMIT ?')
    .pluck()
  const unindexed = db.prepare<[string, number], { number: number; revision: number }>(
    `SELECT number, revision FROM documents INDEXED BY documents_unindexed WHERE indexed = 0 AND owner_id = ?
     ORDER BY updated_at DESC LIMIT ?`,
  )
  const text = db.prepare<[number], { title: string; content: string }>(
    'SELECT title, content FROM documents WHERE number = ?',
  )
  const remove = db.prepare('DELETE FROM documents_fts WHERE rowid = ?')
  const insert = db.prepare('INSERT INTO documents_fts (rowid, title, content) VALUES (?, ?, ?)')
  const mark = db.prepare('UPDATE documents SET indexed = 1 WHERE number = ?')
  const removeOwn = db.prepare('DELETE FROM temp.unindexed_fts WHERE rowid = ?')
  const insertOwn = db.prepare('INSERT INTO temp.unindexed_fts (rowid, title, content) VALUES (?, ?, ?)')
  // What the index says of a text that has changed since isn't true any more.
  const matching = (where: string) =>
    db.prepare<
      { query: string; owner: string; limit: number; offset: number },
      DocumentSummaryRow & { number: number }
    >(
      `WITH found AS (
       SELECT rowid AS number, rank AS score, 1 AS indexed FROM documents_fts WHERE documents_fts MATCH @query
       UNION ALL
       SELECT rowid, rank, 0 FROM temp.unindexed_fts WHERE unindexed_fts MATCH @query
     )
     SELECT d.number, d.id, d.title, d.created_at, d.updated_at
     FROM found f JOIN documents d ON d.number = f.number AND d.indexed = f.indexed
     WHERE d.owner_id = @owner AND ${where} ORDER BY f.score, f.number LIMIT @limit OFFSET @offset`,
    )
  const match = { documents: matching(notInTrash), trash: matching(inTrash) }

  function indexSome(most: number): boolean {
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
  }
  const indexNow = db.transaction(indexSome)
  // Not before the writing pauses: a document that is typed in would be indexed again and again.
  const catchUp = deferred.add('search index', () => indexSome(20), { delay: 500, calm: true })

  /** The revisions that are in the own index. */
  const own = new Map<number, number>()
  function refreshOwn(ownerId: string) {
    const wanted = unindexed.all(ownerId, mostUnindexed)
    const revisions = new Map(wanted.map(({ number, revision }) => [number, revision]))
    for (const [number, revision] of own) {
      if (revisions.get(number) === revision) continue
      removeOwn.run(number)
      own.delete(number)
    }
    let characters = 0
    for (const { number, revision } of wanted) {
      if (own.has(number)) continue
      if (characters >= unindexedCharacters) break
      const { title, content } = text.get(number)!
      insertOwn.run(number, searchable(title), searchable(content))
      own.set(number, revision)
      characters += content.length
    }
    if (wanted.length > 0) catchUp.soon()
  }

  return {
    /** Indexes up to `most` changed documents, fewer if they are long; whether some may be left. */
    index: (most: number) => indexNow.immediate(most),
    /** Has the index brought up to date a moment later. */
    indexSoon: () => catchUp.soon(),
    /** The owner's documents that hold all the words of `query`, the best first, each with a snippet. */
    find(
      ownerId: string,
      query: string,
      limit: number,
      offset: number,
      place: 'documents' | 'trash' = 'documents',
    ): (DocumentSummaryRow & { snippet: string })[] {
      const terms = searchTerms(query)
      if (terms.length === 0) return []
      refreshOwn(ownerId)
      return match[place]
        .all({ query: matchExpression(terms), owner: ownerId, limit, offset })
        .map(({ number, ...row }) => ({
          ...row,
          snippet: findSnippet(text.get(number)!.content, terms),
        }))
    },
  }
}

/** A second index, made like the first one, that nothing but this connection sees. */
function openOwnIndex(db: Db) {
  db.pragma('temp_store = MEMORY')
  const made = db
    .prepare<[], string>("SELECT sql FROM main.sqlite_schema WHERE name = 'documents_fts'")
    .pluck()
    .get()!
  db.exec(made.replace(/^CREATE VIRTUAL TABLE documents_fts/, 'CREATE VIRTUAL TABLE temp.unindexed_fts'))
  db.exec(
    `INSERT INTO temp.unindexed_fts (unindexed_fts, rank) SELECT k, v FROM main.documents_fts_config WHERE k = 'rank'`,
  )
}
