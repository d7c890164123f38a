import type { Db } from './database.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import type { DocumentSummaryRow } from './documents.ts'
import { findSnippet } from './snippet.ts'
import {
  allOf,
  insideExpressions,
  matchExpressions,
  searchable,
  searchTerms,
} from '../domain/search-terms.ts'
import { mostWords, readUpTo, wordsToLookInto } from '../domain/search-words.ts'
import { longText } from '../domain/text-parts.ts'
import { foundInParts, searchPartStore } from './search-parts.ts'
import { searchWordStore } from './search-words.ts'
import type { KeptText } from '../threads/kept-text.ts'
import { inTrash, notInTrash } from './in-trash.ts'

/** One transaction's worth of text to index: some 25 ms in which nobody else is answered. */
const batchCharacters = 300_000
/** What a search reads by itself of what isn't in the index yet; more than this, and longer texts, are found once they are. */
const mostUnindexed = 200
const unindexedCharacters = 1_000_000
const longestUnindexed = 500_000
/** So many words that have inside what is looked for lead to documents; what is in more of them is in most. */
const mostInside = 200

interface Surroundings {
  textOf: (document: number) => { title: string; content: string; revision: number; hash: number }
  transaction: <T>(work: () => T) => T
  afterCommit: (work: () => void) => void
}

/**
 * Full-text search. Writers don't wait for the index: a change only leaves its document marked as not indexed, and the
 * index catches up in the background. Searches write nothing and wait for nobody either: what isn't in the index yet
 * they put into one of their own, which is in memory and of this connection only. Long texts have another index, in
 * parts (`search-parts.ts`): until that has caught up, they are found as they were.
 */
export function searchStore(
  db: Db,
  deferred: DeferredWrites,
  { textOf, transaction, afterCommit }: Surroundings,
) {
  openOwnIndex(db)
  const pending = db.prepare<[number], { number: number; length: number }>(
    'SELECT number, length FROM documents WHERE indexed = 0 LIMIT ?',
  )
  const unindexed = db.prepare<[string, number], { number: number; revision: number }>(
    `SELECT number, revision FROM documents INDEXED BY documents_unindexed WHERE indexed = 0 AND owner_id = ?
     AND length <= ${longestUnindexed} ORDER BY updated_at DESC LIMIT ?`,
  )
  function searchableText(number: number) {
    const { title, content } = textOf(number)
    return { title: searchable(title), content: searchable(content) }
  }
  const words = searchWordStore(db, deferred, { textOf: searchableText, afterCommit })
  const parts = searchPartStore(db, {
    textOf,
    addWords: words.add,
    wordRoom: mostWords,
    wordsUpTo: readUpTo,
  })
  const remove = db.prepare('DELETE FROM documents_fts WHERE rowid = ?')
  const insert = db.prepare('INSERT INTO documents_fts (rowid, title, content) VALUES (?, ?, ?)')
  const mark = db.prepare('UPDATE documents SET indexed = 1 WHERE number = ?')
  const removeOwn = db.prepare('DELETE FROM temp.unindexed_fts WHERE rowid = ?')
  const insertOwn = db.prepare('INSERT INTO temp.unindexed_fts (rowid, title, content) VALUES (?, ?, ?)')
  const fromParts = `SELECT number, score, NULL FROM (${foundInParts})
    WHERE number NOT IN (SELECT id FROM temp.unindexed_fts_docsize)`
  // What the index says of a text that has changed since isn't true any more.
  const found = (where: string, withParts: boolean) =>
    `WITH found AS (
       SELECT rowid AS number, rank AS score, 1 AS indexed FROM documents_fts WHERE documents_fts MATCH @query
       UNION ALL
       SELECT rowid, rank, 0 FROM temp.unindexed_fts WHERE unindexed_fts MATCH @query
       ${withParts ? `UNION ALL ${fromParts}` : ''}
     )
     SELECT COLUMNS FROM found f
     CROSS JOIN documents d ON d.number = f.number AND d.indexed = ifnull(f.indexed, d.indexed)
     WHERE d.owner_id = @owner AND ${where}`
  /** With the text as it is kept, unless that takes longer to read. */
  type FoundRow = DocumentSummaryRow & { number: number; content: KeptText | null }
  interface Asked {
    query: string
    /** For what is searched in parts. */
    terms: string
    but: string
    owner: string
  }
  const matching = (where: string, withParts: boolean) => ({
    // Only of those on the page more is read than puts them in order.
    page: db.prepare<Asked & { limit: number; offset: number }, FoundRow>(
      `SELECT p.number, p.id, p.title, p.created_at, p.updated_at,
         iif(p.length <= ${longText}, k.content, NULL) AS content
       FROM (${found(where, withParts).replace('COLUMNS', 'd.number AS found, f.score')}
         ORDER BY f.score, f.number LIMIT @limit OFFSET @offset)
       CROSS JOIN documents p ON p.number = found
       LEFT JOIN keyframes k ON k.document = p.number AND k.revision = p.revision
       ORDER BY score, found`,
    ),
    count: db.prepare<Asked, number>(found(where, withParts).replace('COLUMNS', 'count(*)')).pluck(),
  })
  const matchingIn = (where: string) => ({ plain: matching(where, false), parted: matching(where, true) })
  const match = { documents: matchingIn(notInTrash), trash: matchingIn(inTrash) }

  function indexSome(most: number): boolean {
    const numbers = pending.all(most)
    let characters = 0
    for (const { number, length } of numbers) {
      if (characters >= batchCharacters) return true
      if (length > longText) {
        if (!parts.indexNext(number)) return true
        remove.run(number)
        mark.run(number)
        characters += longText
        continue
      }
      // One text at a time: together they may be larger than memory.
      const { title, content } = searchableText(number)
      remove.run(number)
      parts.remove(number)
      insert.run(number, title, content)
      words.add(`${title} ${content}`)
      mark.run(number)
      characters += content.length
    }
    const isLeft = numbers.length === most
    if (!isLeft) {
      parts.rest()
      afterCommit(() => words.forgetKnown())
    }
    return isLeft
  }
  // Not before the writing pauses: a document that is typed in would be indexed again and again.
  const catchUp = deferred.add('search index', () => indexSome(20), { delay: 500, calm: true })

  /** The revisions that are in the own index, and their words. */
  const own = new Map<number, { revision: number; words: ReadonlyMap<string, string> }>()
  function refreshOwn(ownerId: string) {
    const wanted = unindexed.all(ownerId, mostUnindexed)
    const revisions = new Map(wanted.map(({ number, revision }) => [number, revision]))
    for (const [number, { revision }] of own) {
      if (revisions.get(number) === revision) continue
      removeOwn.run(number)
      own.delete(number)
    }
    let characters = 0
    for (const { number, revision } of wanted) {
      if (own.has(number)) continue
      if (characters >= unindexedCharacters) break
      const { title, content } = searchableText(number)
      insertOwn.run(number, title, content)
      own.set(number, { revision, words: wordsToLookInto(`${title} ${content}`) })
      characters += content.length
    }
    if (wanted.length > 0) catchUp.soon()
  }

  /** Words that have `inside` inside, whether their texts are in the index yet or not. */
  function wordsWith(inside: string, most: number): string[] {
    const found = new Set(words.find(inside, most))
    for (const one of own.values()) {
      if (found.size >= most) break
      for (const word of one.words.values()) if (word.indexOf(inside) > 0) found.add(word)
    }
    return [...found].slice(0, most)
  }

  return {
    /** Indexes up to `most` changed documents, fewer if they are long; whether some may be left. */
    index: (most: number) => transaction(() => indexSome(most)),
    /** Has the index brought up to date a moment later. */
    indexSoon: () => catchUp.soon(),
    /** The same at a start, with whatever else was left to do. */
    goOn() {
      catchUp.soon()
      words.goOn()
    },
    /**
     * The owner's documents that hold all the words of `query`, the best first, each with a snippet; after them those that
     * have some of the words only inside of others.
     */
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
      const { page, count } = match[place][parts.hasAny() ? 'parted' : 'plain']
      const exact = matchExpressions(terms)
      const whole = { query: allOf(exact), terms: JSON.stringify(exact), but: '[]', owner: ownerId }
      const rows = page.all({ ...whole, limit, offset })
      // Only where those that have the words as they are don't fill the page.
      const inside = rows.length < limit ? insideExpressions(terms, wordsWith, mostInside) : undefined
      if (inside !== undefined) {
        const before = rows.length > 0 || offset === 0 ? offset + rows.length : count.get(whole)!
        const rest = { limit: limit - rows.length, offset: Math.max(0, offset - before) }
        const query = `(${allOf(inside)}) NOT (${whole.query})`
        rows.push(
          ...page.all({ query, terms: JSON.stringify(inside), but: whole.terms, owner: ownerId, ...rest }),
        )
      }
      return rows.map(({ number, content, ...row }) => ({
        ...row,
        snippet: findSnippet(typeof content === 'string' ? content : textOf(number).content, terms),
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
