import { performance } from 'node:perf_hooks'
import type { Db } from './database.ts'

/** How many answers of one lookup are kept; far more than what is in use at one time. */
const most = 1_000

/** Finds something by a key, as it is now. */
export type Lookup<T> = (key: string | number, look: () => T | undefined) => T | undefined

export type Memory = ReturnType<typeof memoryOf>

/**
 * Keeps what was looked up for as long as nothing at all has been written to the database: by this connection, which
 * counts the rows it changes, or by another, which moves SQLite's `data_version`. So there is no list of writers that
 * would have to remember to forget.
 *
 * Every statement outside a transaction costs SQLite a lock of the file, and asking for `data_version` does, too. So it is
 * asked once in each turn of the event loop: what another process writes in the middle of a turn may as well have been
 * written after it.
 *
 * What wasn't found isn't kept: whoever tries out secrets must not fill the memory.
 */
export function memoryOf(db: Db) {
  const changedHere = db.prepare<[], number>('SELECT total_changes()').pluck()
  const changedElsewhere = db.prepare<[], number>('PRAGMA data_version').pluck()
  let here: number | undefined
  let elsewhere: number | undefined
  let turn = -1
  let writes = 0

  /** Another number whenever something has been written; means nothing within a transaction. */
  function countWrites(): number {
    const nowHere = changedHere.get()
    let nowElsewhere = elsewhere
    const { loopCount } = performance.nodeTiming.uvMetricsInfo
    if (turn !== loopCount) {
      turn = loopCount
      nowElsewhere = changedElsewhere.get()
    }
    if (nowHere !== here || nowElsewhere !== elsewhere) writes += 1
    here = nowHere
    elsewhere = nowElsewhere
    return writes
  }

  /** A lookup that remembers. */
  function lookup<T extends object>(): Lookup<Readonly<T>> {
    const answers = new Map<string | number, Readonly<T>>()
    let at = -1
    return (key, look) => {
      // A transaction may be undone, and what it has counted isn't.
      if (db.inTransaction) return look()
      const now = countWrites()
      if (now !== at || answers.size >= most) answers.clear()
      at = now
      const kept = answers.get(key)
      if (kept !== undefined) return kept
      const found = look()
      // Whoever gets it next must find it as it was.
      if (found !== undefined) answers.set(key, Object.freeze(found))
      return found
    }
  }
  return { countWrites, lookup }
}
