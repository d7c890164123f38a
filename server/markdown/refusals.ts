import { createHash } from 'node:crypto'
import type { Limit } from './rendered.ts'

const kept = 200
const keptMs = 5 * 60_000

/**
 * Texts that ran into a limit lately. Without it, everybody who opens such a text would cost the worker its
 * whole time again, and everybody else would wait behind them.
 */
export class Refusals {
  readonly #now: () => number
  readonly #refused = new Map<string, { limit: Limit; length: number; until: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  add(source: string, limit: Limit): void {
    const key = keyOf(source)
    // Not from when it was last asked for: after a while it gets another chance.
    if (this.#refused.has(key)) return
    this.#refused.set(key, { limit, length: source.length, until: this.#now() + keptMs })
    if (this.#refused.size > kept) this.#refused.delete(this.#refused.keys().next().value!)
  }

  find(source: string): Limit | null {
    for (const [key, { length, until }] of this.#refused) {
      if (until < this.#now()) this.#refused.delete(key)
      else if (length === source.length) return this.#refused.get(keyOf(source))?.limit ?? null
    }
    return null
  }
}

function keyOf(source: string): string {
  return createHash('sha256').update(source).digest('base64')
}
