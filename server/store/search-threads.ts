import { isDeepStrictEqual } from 'node:util'
import { QueueFull, type QueueLimits } from '../threads/fair-queue.ts'
import { TooMuchWork } from '../threads/text-threads.ts'
import { WorkerPool, type JobAnswer } from '../threads/worker-pool.ts'
import type { FoundDocument, SearchRequest } from './search.ts'

export interface SearchJob {
  /** Of the database. */
  file: string
  request: SearchRequest
}

export interface SearchThreadsOptions {
  file: string
  /** Told why a search could not be done on another thread. */
  onFailure: (error: unknown) => void
  /** How long one search may take. */
  timeoutMs?: number
  workerUrl?: URL
  /** How much may wait. */
  queue?: Partial<QueueLimits>
}

export type SearchThreads = ReturnType<typeof createSearchThreads>

const besideThisFile = new URL(
  import.meta.url.endsWith('.ts') ? './search-worker.ts' : './search-worker.mjs',
  import.meta.url,
)

/** Does searches that take long on other threads, so that only who asked for them waits. Accounts share them evenly. */
export function createSearchThreads({ file, onFailure, ...options }: SearchThreadsOptions) {
  const pool = new WorkerPool<SearchJob, FoundDocument[]>({
    name: 'search',
    timeoutOf: () => options.timeoutMs ?? 30_000,
    maxMemoryMb: 256,
    // Whoever types a query searches again in a moment.
    idleMs: 20_000,
    workerUrl: options.workerUrl ?? besideThisFile,
    queue: { perMember: 500, inAll: 2_000, ...options.queue },
  })
  const waitingFor = (request: SearchRequest) => {
    for (const one of pool.waiting()) if (isDeepStrictEqual(one.request.request, request)) return one.answer
    return undefined
  }
  return {
    /**
     * What is found; undefined where no thread can tell. Whoever asks for the same as one that waits gets the same answer.
     * Rejects with `QueueFull` where the account has too many searches waiting, and with `TooMuchWork`.
     */
    async find(request: SearchRequest): Promise<FoundDocument[] | undefined> {
      const turn = { document: request.owner, member: 'searches', guest: true }
      let answer: JobAnswer<FoundDocument[]>
      try {
        answer = await (waitingFor(request) ?? pool.ask({ file, request }, turn, 0))
      } catch (error) {
        if (error instanceof QueueFull || pool.isClosed) throw error
        onFailure(error)
        return undefined
      }
      if (answer.kind === 'limited') throw new TooMuchWork(answer.limit)
      return answer.result
    },
    close: () => pool.close(),
  }
}
