import { GalleyError, invalid } from '../contract/errors.ts'
import { isBusy, isDamage, isFull } from '../store/database-trouble.ts'
import { CommitFailed } from '../store/shared-commit.ts'
import { QueueFull } from '../threads/fair-queue.ts'
import { TooMuchWork } from '../threads/text-threads.ts'
import { Refused } from './principal.ts'
import { ValidationFailure } from './validation.ts'

/** Whatever an action threw, as whoever asked is told; undefined for what is nobody's mistake but Galley's. */
export function explainError(error: unknown): GalleyError | undefined {
  if (error instanceof GalleyError) return error
  if (error instanceof Refused) return error.reply
  if (error instanceof ValidationFailure) return invalid(error.message, error.field)
  if (error instanceof QueueFull)
    return new GalleyError('RATE_LIMITED', 'Very much waits to be done just now. Try again in a moment.', {
      retryAfter: 5,
    })
  if (error instanceof TooMuchWork)
    return invalid(
      'This takes too long to work out, and nothing was changed. Do it in several smaller steps.',
    )
  if (isFull(error))
    return new GalleyError(
      'STORAGE_FULL',
      'The disk that holds Galley’s documents is full. Nothing was changed; it works again once there is room.',
      { cause: error },
    )
  if (isBusy(error))
    return new GalleyError('BUSY', 'Another program is writing just now. Nothing was changed; try again.', {
      retryAfter: 1,
      cause: error,
    })
  if (error instanceof CommitFailed)
    return new GalleyError('BUSY', 'This could not be written just now. Nothing was changed; try again.', {
      retryAfter: 1,
      cause: error,
    })
  if (isDamage(error))
    return new GalleyError(
      'DB_ERROR',
      'What is asked for can’t be read: Galley’s database is damaged there. Nothing was changed.',
      { cause: error },
    )
  if (error instanceof Error && error.name === 'SqliteError')
    return new GalleyError('DB_ERROR', 'Database error', { cause: error })
  return undefined
}

/** Whether an error keeps everybody from writing, for as long as it lasts. */
export const keepsFromWriting = (error: unknown) => isBusy(error) || isFull(error)
