import { GalleyError } from '../contract/errors.ts'
import { completeChanges, type ChangesJson, type LoggedChanges } from '../domain/change-set.ts'
import { replay, type ReplayedEntry } from '../domain/replay.ts'
import type { Author } from './author.ts'
import type { Db } from './database.ts'
import { readableRows, unlessUnreadable, type ReadableRows } from './readable.ts'

export interface LogEntry {
  revision: number
  /** The revision that it leads on from; not the one before where a backup was restored, or an older log had gaps. */
  base: number
  at: number
  author_key: string
  author_name: string
  client_id: string | null
  client_number: number | null
  length: number
  /** 1 where its author came by a link that hides people. */
  hidden: 0 | 1
  /** null where the text isn't known any more. */
  hash: number | null
  /** `LoggedChanges` as JSON. */
  changes: string
}

/** A change by an editor's own name for it, so that a repeated one can be told. */
export interface ClientChange {
  id: string
  number: number
}

const fields =
  'revision, base, at, author_key, author_name, client_id, client_number, hidden, length, hash, changes'

/** What an entry costs to replay, as `keyframes.logged` counts it. */
export const replayCost = (changes: string) => 64 + Buffer.byteLength(changes, 'utf8')

/** The changes of each document, from nothing to its newest revision. They are kept for ever. */
export function logStore(db: Db) {
  const insert = db.prepare(
    `INSERT INTO changes (document, ${fields}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const between = db.prepare<[number, number, number], LogEntry>(
    `SELECT ${fields} FROM changes WHERE document = ? AND revision > ? AND revision <= ? ORDER BY revision`,
  )
  const newestFirst = db.prepare<[number], LogEntry>(
    `SELECT ${fields} FROM changes WHERE document = ? ORDER BY revision DESC`,
  )
  // Limited, so that what comes right behind it needn't be readable.
  const chain = db.prepare<[number, number, number, number], ReplayedEntry>(
    `SELECT revision, base, length, hash, changes FROM changes
     WHERE document = ? AND revision > ? AND revision <= ? ORDER BY revision LIMIT ?`,
  )
  const one = db.prepare<[number, number], LogEntry>(
    `SELECT ${fields} FROM changes WHERE document = ? AND revision = ?`,
  )
  const byClient = db.prepare<[number, string, number], LogEntry>(
    `SELECT ${fields} FROM changes WHERE document = ? AND client_id = ? AND client_number = ?`,
  )
  const moment = db
    .prepare<[number, number], number>('SELECT at FROM changes WHERE document = ? AND revision = ?')
    .pluck()
  const backwards = db.prepare<[number, number], { base: number; size: number }>(
    `SELECT base, octet_length(changes) AS size FROM changes WHERE document = ? AND revision > ?
     ORDER BY revision DESC`,
  )

  function replayed(document: number, from: number, to: number): ReplayedEntry[] | null {
    const entries = unlessUnreadable(() => chain.all(document, from, to, to - from))
    if (entries === undefined) return null
    return (entries.at(-1)?.revision ?? from) === to ? entries : null
  }

  return {
    append(
      document: number,
      entry: Pick<LogEntry, 'revision' | 'base' | 'at' | 'length' | 'hash' | 'changes'>,
      author: Author,
      client?: ClientChange,
    ) {
      const { revision, base, at, length, hash, changes } = entry
      const { key, name, hidden = false } = author
      const named = [client?.id ?? null, client?.number ?? null]
      insert.run(document, revision, base, at, key, name, ...named, Number(hidden), length, hash, changes)
    },
    /** When a revision was made. */
    timeOf: (document: number, revision: number) => moment.get(document, revision),
    findByClient: (document: number, { id, number }: ClientChange) => byClient.get(document, id, number),
    /** The entries after a revision, oldest first. */
    since: (document: number, revision: number, upTo = Number.MAX_SAFE_INTEGER) =>
      between.all(document, revision, upTo),
    /** All entries that can be read. */
    readable: (document: number): ReadableRows<LogEntry> =>
      readableRows(
        between.iterate(document, 0, Number.MAX_SAFE_INTEGER),
        // Asked only once the others are read.
        { [Symbol.iterator]: () => newestFirst.iterate(document) },
      ),
    /** The oldest revision from `least` on that so many entries and bytes of log lead on from. */
    oldestWithin(document: number, least: number, entries: number, bytes: number): number | undefined {
      let left = { entries, bytes }
      let oldest: number | undefined
      for (const { base, size } of backwards.iterate(document, least)) {
        left = { entries: left.entries - 1, bytes: left.bytes - size }
        if (base < least || left.entries < 0 || left.bytes < 0) break
        oldest = base
      }
      return oldest
    },
    find: (document: number, revision: number) => one.get(document, revision),
    /** The entries that lead from one revision to another; null if there are none, or they can't be read. */
    replayed,
    /** The text that the log makes of an older one; null if it doesn't lead there. */
    replay(document: number, from: { revision: number; text: string }, to: number): string | null {
      const entries = replayed(document, from.revision, to)
      return entries && replay(from, entries)
    },
  }
}

export type LogStore = ReturnType<typeof logStore>

/** @throws GalleyError DB_ERROR where the entry is damaged */
export function readLogged(changes: string): LoggedChanges {
  try {
    const logged: unknown = JSON.parse(changes)
    if (Array.isArray(logged)) return logged as LoggedChanges
  } catch {
    // Said below.
  }
  throw new GalleyError(
    'DB_ERROR',
    'The log of this document’s changes is damaged here, so this can’t be told. Its text is as it was saved last.',
  )
}

/** What is made of entries; undefined where one of them is damaged. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof GalleyError && error.code === 'DB_ERROR') return undefined
    throw error
  }
}

/** The changes of an entry with all the text that they insert. */
export const readComplete = (changes: string, after: () => string): ChangesJson => {
  const logged = readLogged(changes)
  return isComplete(logged) ? (logged as ChangesJson) : completeChanges(logged, after())
}

/** How many characters the changes of an entry are as they are told: what only their shape stands for is told, too. */
export function toldSize(changes: string): number {
  const logged = readLogged(changes)
  if (isComplete(logged)) return changes.length
  return logged.reduce<number>((sum, part) => {
    const isShape = typeof part !== 'number' && typeof part[1] === 'number'
    return isShape ? sum + (part[1] as number) : sum
  }, changes.length)
}

const isComplete = (logged: LoggedChanges) =>
  logged.every((part) => typeof part === 'number' || typeof part[1] !== 'number')
