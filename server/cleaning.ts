import { setTimeout as sleep } from 'node:timers/promises'
import { backOff } from './platform/back-off.ts'
import type { CleaningThreads } from './store/cleaning-threads.ts'
import type { Store } from './store/store.ts'

interface CleanerOptions {
  store: Pick<Store, 'forgetting' | 'cleanIndexes' | 'write'>
  /** Makes the files anew; null where the database is in memory. */
  cleanFiles: (() => Promise<void>) | null
  /** Whether a restore is under way, which may yet write what is to go: it is waited for. */
  isHeld?: () => boolean
  onFailure: (error: unknown) => void
  /** How often it is looked whether another process, that restores a backup, has ordered a cleaning; in ms. */
  every?: number
}

export interface Cleaner {
  /** Begins, or goes on, with what is due. */
  soon(): void
  /** Whether nothing that was forgotten is in the files any more, and what keeps it from being so. */
  state(): { clean: boolean; fails: boolean }
  close(): void
}
export type CleaningFiles = Pick<CleaningThreads, 'cleanFiles'>

/** Between two parts, so that others are answered. */
const pause = 5

/**
 * Takes what was forgotten out of the files: first out of the indexes, part by part, then all files are made anew on
 * another thread. What is due stands in the database, so a new start goes on with it; what fails is tried again.
 */
export function createCleaner({
  store,
  cleanFiles,
  isHeld,
  onFailure,
  every = 5_000,
}: CleanerOptions): Cleaner {
  let failures = 0
  let isClosed = false
  let isRunning = false
  let timer: NodeJS.Timeout | undefined

  async function clean(): Promise<void> {
    for (let due = store.forgetting.due(); due !== null && !isClosed; due = store.forgetting.due()) {
      // Asked after what is due is known: whoever ordered that has ended then.
      if (isHeld?.()) return
      // It may have been ordered for as long as that took, and is no more: then its number is another’s later.
      if (store.forgetting.due() !== due) continue
      for (const part of store.cleanIndexes()) {
        await store.write(part)
        await sleep(pause)
        if (isClosed) return
      }
      await cleanFiles?.()
      const done = due
      await store.write(() => store.forgetting.cleaned(done))
    }
  }
  function run() {
    if (isRunning || isClosed) return
    isRunning = true
    clean().then(
      () => {
        isRunning = false
        failures = 0
      },
      (error: unknown) => {
        isRunning = false
        if (isClosed) return
        onFailure(error)
        timer = setTimeout(run, backOff(failures++, { first: 1_000, longest: 300_000 })).unref()
      },
    )
  }
  // What has failed waits for its own time.
  const looking = setInterval(() => failures === 0 && run(), every).unref()
  return {
    soon() {
      clearTimeout(timer)
      run()
    },
    state: () => ({ clean: store.forgetting.due() === null, fails: failures > 0 }),
    close() {
      isClosed = true
      clearTimeout(timer)
      clearInterval(looking)
    },
  }
}
