import type { QueueLimits, Turn } from './fair-queue.ts'
import type { Exhausted } from './worker-thread.ts'
import { WorkerPool } from './worker-pool.ts'
import type { AskedOf, GivenOf, TextWorkKind } from './text-work.ts'

export interface TextRequest {
  kind: TextWorkKind
  asked: AskedOf<TextWorkKind>
}
export interface TextResult {
  given: GivenOf<TextWorkKind>
}

export interface TextThreadsOptions {
  /** How long one piece of work may take. */
  timeoutMs?: number
  maxMemoryMb?: number
  /** How long an idle worker is kept. */
  idleMs?: number
  workerUrl?: URL
  /** How much guests may have waiting. */
  queue?: Partial<QueueLimits>
}

/** The work takes longer than it may, or more memory. */
export class TooMuchWork extends Error {
  readonly limit: Exhausted
  constructor(limit: Exhausted) {
    super(`the work exceeds its limit of ${limit}`)
    this.limit = limit
  }
}

export type TextThreads = ReturnType<typeof createTextThreads>

const besideThisFile = new URL(
  import.meta.url.endsWith('.ts') ? './text-worker.ts' : './text-worker.mjs',
  import.meta.url,
)

/** Does heavy work on texts in worker threads, so that only who asked for it waits. */
export function createTextThreads(options: TextThreadsOptions = {}) {
  const pool = new WorkerPool<TextRequest, TextResult>({
    name: 'text',
    timeoutOf: () => options.timeoutMs ?? 60_000,
    maxMemoryMb: options.maxMemoryMb ?? 512,
    // It holds large texts, and is wanted now and then.
    idleMs: options.idleMs ?? 10_000,
    workerUrl: options.workerUrl ?? besideThisFile,
    queue: options.queue,
  })
  return {
    /**
     * Rejects with `QueueFull` where guests have too much waiting, and with `TooMuchWork`.
     * @param size how many characters are asked about
     */
    async workOut<Kind extends TextWorkKind>(
      kind: Kind,
      asked: AskedOf<Kind>,
      turn: Turn,
      size: number,
    ): Promise<GivenOf<Kind>> {
      const answer = await pool.ask({ kind, asked }, turn, size)
      if (answer.kind === 'limited') throw new TooMuchWork(answer.limit)
      return answer.result.given as GivenOf<Kind>
    },
    close: () => pool.close(),
  }
}
