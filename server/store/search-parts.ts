import { searchable } from '../domain/search-terms.ts'
import { longText, textParts } from '../domain/text-parts.ts'
import type { Range } from '../contract/records/anchors.ts'
import type { Db } from './database.ts'

interface LongText {
  number: number
  revision: number
}

/** The document's text, cut into parts; the same for as long as it has this revision and hash. */
interface Parted extends LongText {
  hash: number
  title: string
  content: string
  parts: Range[]
  /** For how many more words of it there is room among those to look into. */
  room: number
}

/**
 * The search index of long texts. They stand in it in parts, one of which is written at a time, so that nobody waits for
 * long. While a text is indexed anew, it is found by the parts as they are.
 */
export function searchPartStore(
  db: Db,
  {
    textOf,
    addWords,
    wordRoom,
    wordsUpTo,
  }: {
    textOf: (document: number) => { title: string; content: string; revision: number; hash: number }
    /** Adds words to look into, up to `room`; answers how many of them count. */
    addWords: (text: string, room: number) => number
    wordRoom: number
    wordsUpTo: number
  },
) {
  const named = db.prepare<[number], { revision: number; hash: number }>(
    'SELECT revision, hash FROM documents WHERE number = ?',
  )
  const written = db.prepare<[number], { number: number; part: number; revision: number }>(
    'SELECT number, part, revision FROM search_parts WHERE document = ? ORDER BY part',
  )
  const add = db.prepare('INSERT INTO search_parts (document, part, revision) VALUES (?, ?, ?)')
  const renew = db.prepare('UPDATE search_parts SET revision = ? WHERE number = ?')
  const removeFrom = db.prepare('DELETE FROM search_parts WHERE document = ? AND part >= ?')
  const insert = db.prepare('INSERT INTO search_parts_fts (rowid, title, content) VALUES (?, ?, ?)')
  const removeText = db.prepare('DELETE FROM search_parts_fts WHERE rowid = ?')

  /** To read and cut a text takes longer than to index a part of it. */
  let parted: Parted | undefined
  function cut(number: number): Parted {
    const { revision, hash } = named.get(number)!
    if (parted?.number === number && parted.revision === revision && parted.hash === hash) return parted
    const { title, content } = textOf(number)
    parted = { number, revision, hash, title, content, parts: textParts(content), room: wordRoom }
    return parted
  }

  return {
    /** Indexes one part, the one that lags behind the most; whether that was the last one. */
    indexNext(number: number): boolean {
      const text = cut(number)
      const { revision, parts } = text
      const known = written.all(number)
      if (known.length > parts.length) removeFrom.run(number, parts.length)
      const old = known
        .filter((one) => one.part < parts.length && one.revision !== revision)
        .toSorted((a, b) => a.revision - b.revision)
      const missing = parts.length - known.length
      if (missing > 0 || old.length > 0) {
        const next = missing > 0 ? known.length : old[0]!.part
        const { start, end } = parts[next]!
        const content = searchable(text.content.slice(start, end))
        const title = next === 0 ? searchable(text.title) : ''
        const row = missing > 0 ? Number(add.run(number, next, revision).lastInsertRowid) : old[0]!.number
        if (missing <= 0) {
          removeText.run(row)
          renew.run(revision, row)
        }
        insert.run(row, title, content)
        if (start < wordsUpTo) text.room -= addWords(`${title} ${content}`, text.room)
      }
      const isDone = Math.max(0, missing) + old.length <= 1
      if (isDone) parted = undefined
      return isDone
    },
    /** Nothing is to be indexed any more. */
    rest: () => void (parted = undefined),
    /** Forgets the parts of a text that is long no more. */
    remove: (number: number) => void removeFrom.run(number, 0),
  }
}

/** The long documents that have all of the terms somewhere, each an expression in a JSON array. */
const having = (terms: string) => `
  SELECT document AS number, sum(score) AS score FROM (
    SELECT p.document, j.key, min(f.rank) AS score
    FROM json_each(${terms}) j CROSS JOIN search_parts_fts f JOIN search_parts p ON p.number = f.rowid
    WHERE f.search_parts_fts MATCH j.value
    GROUP BY p.document, j.key
  ) JOIN documents d ON d.number = document AND d.length > ${longText}
  GROUP BY document HAVING count(*) = json_array_length(${terms})`

/** Those that have all of `@terms`, but not all of `@but`. */
export const foundInParts = `
  SELECT number, score FROM (${having('@terms')})
  WHERE number NOT IN (SELECT number FROM (${having('@but')}))`
