import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from '../store/database-trouble.ts'

/** How long a change waits for another process that writes, in ms; after that, whoever asked for it is told. */
const patience = 5_000
/** Soon again at first, since most hold it for some tens of milliseconds; then less often. */
const pauses = [2, 5, 10, 10, 10, 10, 15, 15, 20, 25, 50] as const
/** So many wait at one time; each holds what it came with in memory. */
const mostWaiting = 200
let waiting = 0

/**
 * Runs `attempt`, again and again for as long as another process holds the database, and `again` before each further
 * time. SQLite could wait itself, but nobody else would be answered meanwhile: here only this one waits. Whatever finds
 * the database held has changed nothing. Answers at once where there is nothing to wait for, which is nearly always.
 */
export function whileBusy<T>(attempt: () => T | Promise<T>, again: () => void = () => {}): T | Promise<T> {
  const waitOrThrow = (error: unknown) => {
    if (!isBusy(error) || waiting >= mostWaiting) throw error
    return wait(attempt, again)
  }
  try {
    const answer = attempt()
    return answer instanceof Promise ? answer.catch(waitOrThrow) : answer
  } catch (error) {
    return waitOrThrow(error)
  }
}

async function wait<T>(attempt: () => T | Promise<T>, again: () => void): Promise<T> {
  waiting++
  try {
    const until = performance.now() + patience
    for (let turn = 0; ; turn++) {
      await sleep(pauses[Math.min(turn, pauses.length - 1)])
      again()
      try {
        return await attempt()
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error
      }
    }
  } finally {
    waiting--
  }
}
