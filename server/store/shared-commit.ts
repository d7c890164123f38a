import type { Db } from './database.ts'
import { isBusy, isFull } from './database-trouble.ts'

/** What was to be written with others is not, and nothing of it has changed. */
export class CommitFailed extends Error {}

/** So long one commit gathers writes, in ms: between two of them everybody else is answered. */
const longestTurn = 8

interface Waiting {
  work: () => unknown
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

interface SharedCommitOptions {
  db: Pick<Db, 'inTransaction'>
  /** Runs its work in one transaction; inside of one, in a savepoint. */
  transaction: <T>(work: () => T) => T
  now?: () => number
}

/**
 * Writes that arrive together share one commit, in their order, which is what a durable write waits for. Each has a
 * savepoint, so that one that fails leaves the others alone. All of it happens in one turn of the event loop: nobody
 * ever reads what isn't committed.
 */
export function createSharedCommit({ db, transaction, now = () => performance.now() }: SharedCommitOptions) {
  const waiting: Waiting[] = []
  let isScheduled = false

  function schedule() {
    if (isScheduled) return
    isScheduled = true
    setImmediate(flush)
  }

  function flush() {
    isScheduled = false
    if (waiting.length === 0) return
    const begun: Waiting[] = []
    const written: (() => void)[] = []
    const failed: (() => void)[] = []
    try {
      transaction(() => {
        const until = now() + longestTurn
        const alone = waiting.length === 1
        do {
          const one = waiting.shift()!
          begun.push(one)
          attempt(one, alone, written, failed)
        } while (!alone && waiting.length > 0 && now() < until)
        if (written.length === 0) throw nothingToCommit
      })
      for (const settle of [...written, ...failed]) settle()
    } catch (error) {
      if (error === nothingToCommit) {
        for (const settle of failed) settle()
        return waiting.length > 0 ? schedule() : undefined
      }
      // Where even the beginning failed, nobody has begun, and nobody would get further.
      const refused = begun.length > 0 ? begun : waiting.splice(0)
      for (const { reject } of refused) reject(isBusy(error) || isFull(error) ? error : commitFailed(error))
    }
    if (waiting.length > 0) schedule()
  }

  function attempt(
    { work, resolve, reject }: Waiting,
    alone: boolean,
    written: (() => void)[],
    failed: (() => void)[],
  ) {
    try {
      // Where nobody else is, the whole transaction is undone with it, and needs no savepoint.
      const result = alone ? work() : transaction(work)
      written.push(() => resolve(result as never))
    } catch (error) {
      // A full disk, say, has SQLite undo all of the transaction, and not only this one's part.
      if (!db.inTransaction) throw error
      failed.push(() => reject(error))
    }
  }

  return {
    /**
     * Runs `work` soon, and answers once what it wrote is durable. `work` must not await; what it throws undoes it.
     * @throws CommitFailed where it could not be committed; a busy or full database is told as it is
     */
    write: <T>(work: () => T): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve, reject })
        schedule()
      }),
    /** Writes now what waits, before the database is closed. */
    flush() {
      while (waiting.length > 0) flush()
    },
  }
}

/** Ends a transaction in which all have failed: it says nothing of whether anything can be written. */
const nothingToCommit = new Error('nothing to commit')

const commitFailed = (cause: unknown) =>
  new CommitFailed('What was to be written could not be committed.', { cause })
