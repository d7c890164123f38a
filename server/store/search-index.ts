import type { Db } from './database.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import { searchable } from '../domain/search-terms.ts'
import { mostWords, readUpTo } from '../domain/search-words.ts'
import { longText } from '../domain/text-parts.ts'
import { searchPartStore } from './search-parts.ts'
import { searchWordStore } from './search-words.ts'

/** One transaction's worth of text to index: some 25 ms in which nobody else is answered. */
const batchCharacters = 300_000

interface Surroundings {
  textOf: (document: number) => { title: string; content: string; revision: number; hash: number }
  transaction: <T>(work: () => T) => T
  afterCommit: (work: () => void) => void
}

/**
 * The index that searches read. Writers don't wait for it: a change only leaves its document marked as not indexed, and
 * the index catches up in the background.
 */
export function searchIndex(
  db: Db,
  deferred: DeferredWrites,
  { textOf, transaction, afterCommit }: Surroundings,
) {
  const pending = db.prepare<[number], { number: number; length: number }>(
    'SELECT number, length FROM documents WHERE indexed = 0 LIMIT ?',
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

  return {
    /** Indexes up to `most` changed documents, fewer if they are long; whether some may be left. */
    write: (most: number) => transaction(() => indexSome(most)),
    /** Forgets some of the words that no text has any more, as far as a sweep has begun; whether some may be left. */
    sweepWords: () => transaction(words.sweepSome),
    /** Has the index brought up to date a moment later. */
    soon: () => catchUp.soon(),
    /** The same at a start, with whatever else was left to do. */
    goOn() {
      catchUp.soon()
      words.goOn()
    },
  }
}
