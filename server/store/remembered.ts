import type { Db } from './database.ts'

/** How many answers are kept; far more than the credentials that are in use at one time. */
const most = 1_000

/**
 * Keeps what was looked up for as long as nothing at all has been written to the database: by this connection, which
 * counts the rows it changes, or by another, which moves SQLite's `data_version`. So there is no list of writers that
 * would have to remember to forget. Asking the two numbers takes a fraction of a lookup by digest.
 *
 * What wasn't found isn't kept: whoever tries out secrets must not fill the memory.
 */
export function rememberedLookup<T extends object>(db: Db) {
  const changedHere = db.prepare<[], number>('SELECT total_changes()').pluck()
  const changedElsewhere = db.prepare<[], number>('PRAGMA data_version').pluck()
  const answers = new Map<string, T>()
  let here: number | undefined
  let elsewhere: number | undefined

  return (key: string, look: () => T | undefined): T | undefined => {
    // A transaction may be undone, and what it has counted isn't.
    if (db.inTransaction) return look()
    const [nowHere, nowElsewhere] = [changedHere.get(), changedElsewhere.get()]
    if (nowHere !== here || nowElsewhere !== elsewhere || answers.size >= most) answers.clear()
    here = nowHere
    elsewhere = nowElsewhere
    const kept = answers.get(key)
    if (kept !== undefined) return kept
    const found = look()
    if (found !== undefined) answers.set(key, found)
    return found
  }
}
