import { createHash } from 'node:crypto'
import type { Limit } from './render-limits.ts'
import type { Job } from './worker-messages.ts'

const kept = 200
const keptMs = 5 * 60_000

/**
 * Jobs that ran into a limit lately. Without it, everybody who opens such a text would cost the worker its whole time
 * again, and everybody else would wait behind them. That one job was given up says nothing of any other: a page whose
 * marks take too long is rendered all the same.
 */
export class RecentLimits {
  readonly #now: () => number
  readonly #refused = new Map<string, { limit: Limit; length: number; until: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  add(job: Job, limit: Limit): void {
    const key = keyOf(job)
    // Not from when it was last asked for: after a while it gets another chance.
    if (this.#refused.has(key)) return
    this.#refused.set(key, { limit, length: job.source.length, until: this.#now() + keptMs })
    if (this.#refused.size > kept) this.#refused.delete(this.#refused.keys().next().value!)
  }

  find(job: Job): Limit | null {
    for (const [key, { length, until }] of this.#refused) {
      if (until < this.#now()) this.#refused.delete(key)
      else if (length === job.source.length) return this.#refused.get(keyOf(job))?.limit ?? null
    }
    return null
  }
}

/** All of a job but its text. */
export function questionOf({ source: _, ...question }: Job): string {
  return JSON.stringify(question)
}

function keyOf(job: Job): string {
  return createHash('sha256').update(questionOf(job)).update('\n').update(job.source).digest('base64')
}
