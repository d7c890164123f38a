import { performance } from 'node:perf_hooks'
import type { Db } from './database.ts'

/** How many answers of one lookup are kept; far more than what is in use at one time. */
const usually: Kept<unknown> = { most: 1_000, sizeOf: () => 1 }

/** How much one lookup keeps. */
interface Kept<T> {
  most: number
  /** Of one answer, of which `most` is the sum at most. */
  sizeOf: (value: T) => number
}

/** The tables of which something is remembered. */
const watched = [
  'users',
  'api_keys',
  'sessions',
  'share_links',
  'stopped_sharing',
  'allowed_origins',
  'documents',
  'trash',
  'comments',
  'suggestions',
  'keyframes',
  'colours',
] as const
type Watched = (typeof watched)[number]

/** Finds something by a key, as it is now. */
export interface Lookup<T> {
  (key: string | number, look: () => T | undefined): T | undefined
  /**
   * For whoever changes what a key finds, and knows what that is then: asked before, it takes the new one after. Does
   * nothing where the old one wasn’t known.
   */
  renewal: (key: string | number) => (value: T) => void
}

export type Memory = ReturnType<typeof memoryOf>

/**
 * Keeps what was looked up for as long as nothing has been written to the tables that it comes from: by this connection,
 * which SQLite tells by triggers of its own on each of them, or by another, which moves SQLite's `data_version`. So there is
 * no list of writers that would have to remember to forget.
 *
 * Every statement outside a transaction costs SQLite a lock of the file, and asking for `data_version` does, too. So it is
 * asked once in each turn of the event loop: what another process writes in the middle of a turn may as well have been
 * written after it. In a transaction it is asked once more, when nobody else can write any longer.
 *
 * What wasn't found isn't kept: whoever tries out secrets must not fill the memory.
 */
export function memoryOf(db: Db) {
  const forgetting = new Map<string, (() => void)[]>(watched.map((table) => [table, []]))
  watch(db, (table) => {
    for (const forget of forgetting.get(table)!) forget()
  })
  const changedHere = db.prepare<[], number>('SELECT total_changes()').pluck()
  const changedElsewhere = db.prepare<[], number>('PRAGMA data_version').pluck()
  let here: number | undefined
  let elsewhere: number | undefined
  let turn = -1
  let writes = 0
  /** Whether a transaction is under way of which this was told when it began, and will be if it is undone. */
  let isToldOfUndoing = false

  function forgetAll() {
    for (const all of forgetting.values()) for (const forget of all) forget()
  }
  function lookElsewhere() {
    const now = changedElsewhere.get()
    if (now === elsewhere) return
    elsewhere = now
    writes += 1
    forgetAll()
  }
  function lookElsewhereInTurn() {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo
    if (turn === loopCount) return
    turn = loopCount
    lookElsewhere()
  }

  /** Another number whenever something has been written; means nothing within a transaction. */
  function countWrites(): number {
    lookElsewhereInTurn()
    const now = changedHere.get()
    if (now !== here) writes += 1
    here = now
    return writes
  }

  /** A lookup that remembers, of what these tables hold and nothing else. */
  function lookup<T extends object>(
    tables: readonly Watched[],
    { most, sizeOf }: Kept<Readonly<T>> = usually,
  ): Lookup<Readonly<T>> {
    const answers = new Map<string | number, Readonly<T>>()
    let size = 0
    function clear() {
      answers.clear()
      size = 0
    }
    for (const table of tables) forgetting.get(table)!.push(clear)
    function keep(key: string | number, value: Readonly<T>) {
      const before = answers.get(key)
      size += sizeOf(value) - (before ? sizeOf(before) : 0)
      if (size > most) {
        clear()
        size = sizeOf(value)
        if (size > most) return clear()
      }
      // Whoever gets it next must find it as it was.
      answers.set(key, Object.freeze(value))
    }
    function find(key: string | number, look: () => Readonly<T> | undefined) {
      if (!isToldOfUndoing) {
        if (db.inTransaction) return look()
        lookElsewhereInTurn()
      }
      const kept = answers.get(key)
      if (kept !== undefined) return kept
      const found = look()
      if (found !== undefined) keep(key, found)
      return found
    }
    const renewal = (key: string | number) =>
      isToldOfUndoing && answers.has(key) ? (value: Readonly<T>) => keep(key, value) : () => {}
    return Object.assign(find, { renewal })
  }

  return {
    countWrites,
    lookup,
    /** A transaction has just begun in which nobody else writes. */
    began() {
      lookElsewhere()
      isToldOfUndoing = true
    },
    /** It, or a part of it, is undone: what was read meanwhile may never have been. */
    undone: forgetAll,
    /** It is over. */
    ended: () => void (isToldOfUndoing = false),
  }
}

/** Has SQLite tell of each row that is written by this connection, whichever statement does it. */
function watch(db: Db, onWrite: (table: Watched) => void) {
  db.function('galley_wrote', (table) => {
    onWrite(table as Watched)
    return null
  })
  for (const table of watched)
    for (const what of ['INSERT', 'UPDATE', 'DELETE'])
      db.exec(
        `CREATE TEMP TRIGGER wrote_${table}_${what} AFTER ${what} ON main.${table}
         BEGIN SELECT galley_wrote('${table}'); END`,
      )
}
