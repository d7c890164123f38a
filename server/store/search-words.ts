import { leastInside, wordsToLookInto } from '../domain/search-words.ts'
import type { Db } from './database.ts'
import type { DeferredWrites } from './deferred-writes.ts'

/** More words than a library has; with as many, those of no text are forgotten before there are new ones. */
const mostWords = 400_000
/** Not more than some megabytes. */
const mostKnown = 100_000
/** One transaction's worth of each: some 10 ms. */
const dueCharacters = 200_000
const sweptAtOnce = 300

/**
 * The different words of all indexed texts, which say inside of which words something stands. They only lead to words
 * for which the search index is then asked, so one that no text has any more, or that found no room, does no harm.
 */
export function searchWordStore(
  db: Db,
  deferred: DeferredWrites,
  {
    textOf,
    afterCommit,
    most = mostWords,
  }: {
    /** A text as it is in the index. */
    textOf: (document: number) => { title: string; content: string }
    afterCommit: (work: () => void) => void
    most?: number
  },
) {
  const insert = db.prepare('INSERT OR IGNORE INTO search_words (word) VALUES (?)')
  const insertLetters = db.prepare('INSERT INTO search_words_fts (rowid, word) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM search_words WHERE number = ?')
  const removeLetters = db.prepare(
    `INSERT INTO search_words_fts (search_words_fts, rowid, word) VALUES ('delete', ?, ?)`,
  )
  const count = db.prepare<[], number>('SELECT count(*) FROM search_words').pluck()
  const due = db.prepare<[], number>('SELECT document FROM search_words_due LIMIT 20').pluck()
  const done = db.prepare('DELETE FROM search_words_due WHERE document = ?')
  const sweptUpTo = db.prepare<[], number>('SELECT after FROM search_words_sweep').pluck()
  const beginSweep = db.prepare('INSERT INTO search_words_sweep (after) VALUES (0)')
  const goOnAfter = db.prepare('UPDATE search_words_sweep SET after = ?')
  const endSweep = db.prepare('DELETE FROM search_words_sweep')
  const next = db.prepare<[number, number], { number: number; word: string }>(
    'SELECT number, word FROM search_words WHERE number > ? ORDER BY number LIMIT ?',
  )
  const isUsed = db
    .prepare<[string], 1>('SELECT 1 FROM documents_fts WHERE documents_fts MATCH ? LIMIT 1')
    .pluck()

  /**
   * Words, as texts have them, that are there already. It takes as long to see whether a word is there as to index it;
   * while many texts are indexed, most of their words are known from those before.
   */
  const known = new Set<string>()
  let knownOf: unknown
  function forgetKnown() {
    known.clear()
    knownOf = undefined
  }
  /** What another process did, such as restore a backup, may have taken them away. */
  function checkKnown() {
    const version = db.pragma('data_version', { simple: true })
    if (version !== knownOf || known.size > mostKnown) forgetKnown()
    knownOf = version
  }

  /** For how many more there is room; too few at worst, until it is counted again. */
  let room = 0
  let sweptInVain = false

  /** Adds the words of a text as it is in the index, up to `mostOfText`; answers how many there were that count. */
  function add(text: string, mostOfText?: number): number {
    checkKnown()
    if (room <= 0) room = most - count.get()!
    const words = wordsToLookInto(text, known, mostOfText)
    for (const word of words.values()) {
      if (word.length <= leastInside) continue
      if (room <= 0) {
        makeRoom()
        return words.size
      }
      const { changes, lastInsertRowid } = insert.run(word)
      if (changes === 0) continue
      insertLetters.run(lastInsertRowid, word)
      room--
    }
    afterCommit(() => {
      for (const word of words.keys()) known.add(word)
    })
    return words.size
  }
  function makeRoom() {
    if (sweptInVain) return
    if (sweptUpTo.get() === undefined) beginSweep.run()
    sweep.soon()
  }

  const catchUp = deferred.add(
    'words to search in',
    () => {
      const documents = due.all()
      let characters = 0
      for (const document of documents) {
        if (characters >= dueCharacters) return true
        const { title, content } = textOf(document)
        add(`${title} ${content}`)
        done.run(document)
        characters += content.length
      }
      if (documents.length > 0) return true
      forgetKnown()
      return false
    },
    { delay: 2_000, resumes: true },
  )

  function sweepSome(): boolean {
    const after = sweptUpTo.get()
    if (after === undefined) return false
    const words = next.all(after, sweptAtOnce)
    forgetKnown()
    for (const { number, word } of words) {
      if (isUsed.get(`"${word}"`) !== undefined) continue
      removeLetters.run(number, word)
      remove.run(number)
    }
    const isLeft = words.length === sweptAtOnce
    if (isLeft) goOnAfter.run(words.at(-1)!.number)
    else {
      endSweep.run()
      sweptInVain = count.get()! > most * 0.9
    }
    return isLeft
  }
  const sweep = deferred.add('words of no text', sweepSome, { delay: 5_000, calm: true, resumes: true })

  return {
    add,
    sweepSome,
    /** Once no more texts are to be indexed. */
    forgetKnown,
    /** Goes on in a moment with what is due. */
    goOn() {
      if (due.get() !== undefined) catchUp.soon()
      if (sweptUpTo.get() !== undefined) sweep.soon()
    },
  }
}

/** Finds words that have something inside. */
export function insideWords(db: Db) {
  // In the order of their numbers: what many texts have was seen early.
  const withInside = db
    .prepare<[string, number], string>(
      `SELECT w.word FROM search_words_fts f JOIN search_words w ON w.number = f.rowid
       WHERE f.search_words_fts MATCH ? ORDER BY f.rowid LIMIT ?`,
    )
    .pluck()
  return (inside: string, most: number): string[] => withInside.all(`"${inside.replaceAll('"', '""')}"`, most)
}
