import type { Db } from './database.ts'
import { isBusy, isFull } from './database-trouble.ts'

/** What was to be written with others is not, and nothing of it has changed. `actions/explained-errors` says so to who asked. */
export class CommitFailed extends Error {}

/** So long one commit gathers writes, in ms: between two of them everybody else is answered. */
const longestTurn = 8
/** Nobody has written for so long, in ms, when it is the turn of what can wait. */
const quiet = 10
/** What can wait has one turn after so long, in ms, however many write. */
const patience = 500

/** Something that can wait. */
export interface DeferredJob {
  /** Does a part of it inside a transaction. */
  run: () => void
  /** That part is committed; or it is undone, and why. */
  ended: (error?: unknown) => void
}

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
 * The one writer. Writes that arrive together share one commit, in their order, which is what a durable write waits for.
 * Each has a savepoint, so that one that fails leaves the others alone. All of it happens in one turn of the event loop:
 * nobody ever reads what isn't committed.
 *
 * What can wait is written when nobody else writes, several in one commit; what of it is small goes with the next commit
 * that there is anyway. Each fails by itself.
 */
export function createSharedCommit({ db, transaction, now = () => performance.now() }: SharedCommitOptions) {
  const waiting: Waiting[] = []
  let isScheduled = false
  /** What can wait and is due, and since when. */
  const due = new Map<DeferredJob, number>()
  /** What may be written with any commit. */
  const joining = new Set<DeferredJob>()
  /** Not while what can wait can't be written: others' commits must not fail by it. */
  let mayJoin = true
  let writesDeferred = false
  let lastCommit = -Infinity
  let look: NodeJS.Timeout | undefined

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
    const joined = new Map<DeferredJob, unknown>()
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
        if (mayJoin && joining.size > 0) runAll([...joining], joined)
      })
      lastCommit = now()
      for (const settle of [...written, ...failed]) settle()
    } catch (error) {
      if (error === nothingToCommit) {
        for (const settle of failed) settle()
        return waiting.length > 0 ? schedule() : undefined
      }
      // Where even the beginning failed, nobody has begun, and nobody would get further.
      const refused = begun.length > 0 ? begun : waiting.splice(0)
      for (const { reject } of refused) reject(isBusy(error) || isFull(error) ? error : commitFailed(error))
      if (joined.size > 0) mayJoin = false
      for (const [job, own] of joined) joined.set(job, own ?? error)
    }
    endAll(joined)
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

  /** Runs each in a savepoint; `outcomes` says of those that began what went wrong, if anything did. */
  function runAll(jobs: readonly DeferredJob[], outcomes: Map<DeferredJob, unknown>, until = Infinity) {
    for (const job of jobs) {
      outcomes.set(job, undefined)
      try {
        transaction(job.run)
      } catch (error) {
        outcomes.set(job, error)
        if (!db.inTransaction) throw error
      }
      if (now() >= until) return
    }
  }

  function endAll(outcomes: Map<DeferredJob, unknown>) {
    for (const [job, error] of outcomes) {
      forget(job)
      job.ended(error)
    }
  }
  function forget(job: DeferredJob) {
    due.delete(job)
    joining.delete(job)
  }

  /** Writes in one transaction as many of these as there is time for. */
  function writeDeferred(jobs: readonly DeferredJob[]) {
    const outcomes = new Map<DeferredJob, unknown>()
    writesDeferred = true
    try {
      transaction(() => {
        runAll(jobs, outcomes, now() + longestTurn)
        if ([...outcomes.values()].every((error) => error !== undefined)) throw nothingToCommit
      })
      mayJoin = true
    } catch (error) {
      if (error !== nothingToCommit) {
        // One of them must not keep the others from being written.
        if (outcomes.size > 1) return [...outcomes.keys()].forEach((job) => writeDeferred([job]))
        // Where even the beginning failed, none of them would get further.
        for (const job of outcomes.size > 0 ? outcomes.keys() : jobs) outcomes.set(job, error)
      }
    } finally {
      writesDeferred = false
    }
    endAll(outcomes)
  }

  function lookSoon(wait: number) {
    look ??= setTimeout(() => {
      look = undefined
      const [oldest] = due.values()
      if (oldest === undefined) return
      const isQuiet = waiting.length === 0 && now() - lastCommit >= quiet
      if (isQuiet || now() - oldest >= patience) writeDeferred([...due.keys()])
      if (due.size > 0) lookSoon(quiet)
    }, wait).unref()
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
    /** Has a job written once there is nothing better to do. */
    whenIdle(job: DeferredJob) {
      if (!due.has(job)) due.set(job, now())
      lookSoon(0)
    },
    /** Has a small job written with the next commit that there is, if there is one. */
    withNextCommit: (job: DeferredJob) => void joining.add(job),
    /** Leaves a job. */
    forget,
    /** Whether what is being written now is nothing but what can wait. */
    writesDeferred: () => writesDeferred,
    /** Writes a job now. */
    writeNow: (job: DeferredJob) => writeDeferred([job]),
    /** Writes now what waits, before the database is closed. */
    flush() {
      while (waiting.length > 0) flush()
    },
  }
}

export type SharedCommit = ReturnType<typeof createSharedCommit>

/** Ends a transaction in which all have failed: it says nothing of whether anything can be written. */
const nothingToCommit = new Error('nothing to commit')

const commitFailed = (cause: unknown) =>
  new CommitFailed('What was to be written could not be committed.', { cause })
