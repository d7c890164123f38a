import type { Db } from './database.ts'
import type { DocumentSummaryRow } from './documents.ts'
import { findSnippet } from './snippet.ts'
import {
  allOf,
  insideExpressions,
  matchExpressions,
  searchable,
  searchTerms,
} from '../domain/search-terms.ts'
import { wordsToLookInto } from '../domain/search-words.ts'
import { longText } from '../domain/text-parts.ts'
import { foundInParts } from './search-parts.ts'
import { searchWeights } from './search-weights.ts'
import { insideWords } from './search-words.ts'
import type { KeptText } from '../threads/kept-text.ts'
import { inTrash, notInTrash } from './in-trash.ts'

/** What a search reads by itself of what isn't in the index yet; more than this, and longer texts, are found once they are. */
const mostUnindexed = 200
const unindexedCharacters = 1_000_000
const longestUnindexed = 500_000
/** So many words that have inside what is looked for lead to documents; what is in more of them is in most. */
const mostInside = 200
/** What a search may cost while everybody else waits: some 5 ms each. */
const light = { words: 3_000, unindexed: 50_000, shown: 500_000 }

/** The documents of an owner that hold all the words of `query`. */
export interface SearchRequest {
  owner: string
  query: string
  limit: number
  offset: number
  place?: 'documents' | 'trash'
  /** Only these, by their ids. */
  among?: readonly string[]
}
export type FoundDocument = DocumentSummaryRow & { snippet: string }

/** With the text as it is kept, unless that takes longer to read. */
type FoundRow = DocumentSummaryRow & { number: number; length: number; content: KeptText | null }

interface Asked {
  query: string
  /** For what is searched in parts. */
  terms: string
  but: string
  owner: string
  among: string | null
}

/** Ends a search that would hold others up. */
class TooHeavy extends Error {}

/**
 * Full-text search. It writes nothing and waits for nobody: what isn't in the index yet it puts into one of its own,
 * which is in memory and of this connection only. Long texts have another index, in parts (`search-parts.ts`): until
 * that has caught up, they are found as they were.
 */
export function searchReader(
  db: Db,
  textOf: (document: number) => { title: string; content: string },
  /** Told where something isn't in the index yet. */
  onUnindexed: () => void = () => {},
) {
  openOwnIndex(db)
  const unindexed = db.prepare<
    [string, number],
    { number: number; revision: number; hash: number; length: number }
  >(
    `SELECT number, revision, hash, length FROM documents INDEXED BY documents_unindexed
     WHERE indexed = 0 AND owner_id = ? AND length <= ${longestUnindexed} ORDER BY updated_at DESC LIMIT ?`,
  )
  const hasParts = db.prepare<[], 0 | 1>('SELECT EXISTS (SELECT 1 FROM search_parts)').pluck()
  const removeOwn = db.prepare('DELETE FROM temp.unindexed_fts WHERE rowid = ?')
  const insertOwn = db.prepare('INSERT INTO temp.unindexed_fts (rowid, title, content) VALUES (?, ?, ?)')
  const weights = searchWeights(db)
  const findInside = insideWords(db)
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
     WHERE d.owner_id = @owner AND (@among IS NULL OR d.id IN (SELECT value FROM json_each(@among)))
     AND ${where}`
  const matching = (where: string, withParts: boolean) => ({
    // Only of those on the page more is read than puts them in order.
    page: db.prepare<Asked & { limit: number; offset: number }, FoundRow>(
      `SELECT p.number, p.id, p.title, p.created_at, p.updated_at, p.length,
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

  /** The texts that are in the own index, and their words. */
  const own = new Map<number, { name: string; words: ReadonlyMap<string, string> }>()
  function refreshOwn(ownerId: string, isLight: boolean) {
    const wanted = unindexed.all(ownerId, mostUnindexed)
    const names = new Map(wanted.map(({ number, revision, hash }) => [number, `${revision} ${hash}`]))
    for (const [number, { name }] of own) {
      if (names.get(number) === name) continue
      removeOwn.run(number)
      own.delete(number)
    }
    if (wanted.length > 0) onUnindexed()
    let characters = 0
    for (const { number, length } of wanted) {
      if (own.has(number)) continue
      if (characters >= unindexedCharacters) break
      if (isLight && characters + length > light.unindexed) throw new TooHeavy()
      const text = textOf(number)
      const [title, content] = [searchable(text.title), searchable(text.content)]
      insertOwn.run(number, title, content)
      own.set(number, { name: names.get(number)!, words: wordsToLookInto(`${title} ${content}`) })
      characters += length
    }
  }

  /** Words that have `inside` inside, whether their texts are in the index yet or not. */
  function wordsWith(inside: string, most: number): string[] {
    const words = new Set(findInside(inside, most))
    for (const one of own.values()) {
      if (words.size >= most) break
      for (const word of one.words.values()) if (word.indexOf(inside) > 0) words.add(word)
    }
    return [...words].slice(0, most)
  }

  function find(
    { owner, query, limit, offset, place = 'documents', among: chosen }: SearchRequest,
    isLight: boolean,
  ): FoundDocument[] {
    const terms = searchTerms(query)
    const among = chosen ? JSON.stringify(chosen) : null
    if (terms.length === 0) return []
    refreshOwn(owner, isLight)
    const withParts = hasParts.get() === 1
    let room = light.words
    const spend = (weigh: (most: number) => number) => {
      if (!isLight) return
      room -= weigh(room)
      if (room <= 0) throw new TooHeavy()
    }
    spend((most) => weights.ofTerms(terms, withParts, most))
    const { page, count } = match[place][withParts ? 'parted' : 'plain']
    const exact = matchExpressions(terms)
    const whole = { query: allOf(exact), terms: JSON.stringify(exact), but: '[]', owner, among }
    const rows = page.all({ ...whole, limit, offset })
    // Only where those that have the words as they are don't fill the page.
    const words: string[] = []
    const collect = (inside: string, most: number) => {
      const some = wordsWith(inside, most)
      words.push(...some)
      return some
    }
    const inside = rows.length < limit ? insideExpressions(terms, collect, mostInside) : undefined
    if (inside !== undefined) {
      spend((most) => weights.ofInside(terms, words, withParts, most))
      const before = rows.length > 0 || offset === 0 ? offset + rows.length : count.get(whole)!
      const rest = { limit: limit - rows.length, offset: Math.max(0, offset - before) }
      const query = `(${allOf(inside)}) NOT (${whole.query})`
      rows.push(
        ...page.all({ query, terms: JSON.stringify(inside), but: whole.terms, owner, among, ...rest }),
      )
    }
    if (isLight && rows.reduce((sum, { length }) => sum + length, 0) > light.shown) throw new TooHeavy()
    return rows.map(({ number, length: _, content, ...row }) => ({
      ...row,
      snippet: findSnippet(typeof content === 'string' ? content : textOf(number).content, terms),
    }))
  }

  return {
    /**
     * The owner's documents that hold all the words of `query`, the best first, each with a snippet; after them those that
     * have some of the words only inside of others.
     */
    find: (request: SearchRequest) => find(request, false),
    /** The same, but undefined where that would hold others up. */
    findAtOnce(request: SearchRequest): FoundDocument[] | undefined {
      try {
        return find(request, true)
      } catch (error) {
        if (error instanceof TooHeavy) return undefined
        throw error
      }
    },
  }
}

/** A second index, made like the first one, that nothing but this connection sees. */
function openOwnIndex(db: Db) {
  const made = db
    .prepare<[], string>("SELECT sql FROM main.sqlite_schema WHERE name = 'documents_fts'")
    .pluck()
    .get()!
  db.exec(made.replace(/^CREATE VIRTUAL TABLE documents_fts/, 'CREATE VIRTUAL TABLE temp.unindexed_fts'))
  db.exec(
    `INSERT INTO temp.unindexed_fts (unindexed_fts, rank) SELECT k, v FROM main.documents_fts_config WHERE k = 'rank'`,
  )
}
