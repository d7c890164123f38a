import { hour } from './contract/durations.ts'
import { sweepOneTrashed } from './actions/trash.ts'

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
  let isStopped = false
  const schedule = (wait: number) => {
    if (!isStopped) next = setTimeout(() => void sweep(), wait).unref()
  }
  async function sweep() {
    let wait = every
    try {
      if (await sweepOneTrashed(context)) wait = 0
    } catch (error) {
      onFailure(error)
    }
    schedule(wait)
  }
  schedule(0)
  return () => {
    isStopped = true
    clearTimeout(next)
  }
}
