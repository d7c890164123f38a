import { sweepOneTrashed } from './actions/trash.ts'

const hour = 60 * 60 * 1000

interface SweepOptions {
  context: Parameters<typeof sweepOneTrashed>[0]
  onFailure: (error: unknown) => void
  every?: number
}

/**
 * Deletes for good what has been in the trash for its days, now and every hour; returns what stops it. One document at
 * a time, so that requests come between. What fails is tried again with the next hour.
 */
export function sweepTrash({ context, onFailure, every = hour }: SweepOptions): () => void {
  let next: NodeJS.Timeout | undefined
  function sweep() {
    let wait = every
    try {
      if (sweepOneTrashed(context)) wait = 0
    } catch (error) {
      onFailure(error)
    }
    next = setTimeout(sweep, wait).unref()
  }
  next = setTimeout(sweep, 0).unref()
  return () => clearTimeout(next)
}
