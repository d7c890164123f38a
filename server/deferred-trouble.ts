import type { Logger } from 'pino'
import type { Problems } from './problems.ts'
import { isBusy, isFull } from './store/database-trouble.ts'

/** Says what keeps the background from writing: a full disk to people, everything to the log, each once. */
export function createDeferredTrouble(log: Logger, problems: Problems) {
  const full = new Set<string>()
  return {
    /** `error` is null when `name` can be written again. */
    tell(error: unknown, name: string) {
      if (error === null) {
        log.info({ waiting: name }, 'what waited is written')
        if (full.delete(name) && full.size === 0) problems.clear('storage full')
        return
      }
      if (isFull(error)) {
        full.add(name)
        problems.set(
          'storage full',
          'The disk that holds your documents is full, so nothing new can be saved. Reading goes on. Free some room: Galley then goes on by itself.',
        )
      }
      const level = isBusy(error) ? 'info' : 'warn'
      log[level]({ err: error, waiting: name }, 'something has to wait until it can be written')
    },
  }
}
