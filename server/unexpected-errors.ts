import type { Logger } from 'pino'
import type { Problems } from './problems.ts'
import { isDamage } from './store/database-trouble.ts'

export interface UnexpectedErrorsOptions {
  log: Logger
  problems: Problems
  /** Whether the database is as it should be, as far as a glance tells. */
  looksSound: () => boolean
}

/** More than this many in a minute, and nothing here works any more: a new process may. */
const mostInAMinute = 100

/**
 * What becomes of an error that nobody expected and nobody caught. It is logged and shown. The process goes on where
 * the database is sound: every change is one transaction, so that what broke off has left nothing half done.
 * @returns whether to go on
 */
export function createUnexpectedErrors({ log, problems, looksSound }: UnexpectedErrorsOptions) {
  let recent: number[] = []
  return (error: unknown): boolean => {
    const now = performance.now()
    recent = [...recent.filter((at) => now - at < 60_000), now]
    const goesOn = recent.length <= mostInAMinute && !isDamage(error) && looksSound()
    // Of many alike, a few say as much.
    if (recent.length <= 10 || !goesOn) log.error({ err: error, goesOn }, 'an error that nobody expected')
    if (goesOn)
      problems.set(
        'unexpected error',
        'Something went wrong in Galley that nobody expected. Your documents are sound, and Galley goes on; its log tells more. If something doesn’t work any more, start Galley again.',
      )
    return goesOn
  }
}
