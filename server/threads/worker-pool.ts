import { FairQueue, QueueFull, type QueueLimits, type Turn } from './fair-queue.ts'
import { WorkerThread, type Exhausted, type WorkerThreadOptions, type JobOutcome } from './worker-thread.ts'

/** How a job ended that was done, or ran into a limit. */
export type JobAnswer<Result, Limit extends string = Exhausted> = Exclude<
  JobOutcome<Result, Limit>,
  { kind: 'failed' }
>

/** A job that waits or is being done. */
export interface Asked<Request, Result, Limit extends string> {
  readonly request: Request
  readonly turn: Turn
  /** Characters that it holds while it waits. */
  readonly size: number
  readonly answer: Promise<JobAnswer<Result, Limit>>
}
interface Waiting<Request, Result, Limit extends string> extends Asked<Request, Result, Limit> {
  settle(outcome: JobOutcome<Result, Limit>): void
}

export interface WorkerPoolOptions<Request, Limit extends string> extends WorkerThreadOptions<Request> {
  queue?: Partial<QueueLimits> | undefined
  /** Told of each job that ran into a limit. */
  onLimit?: (request: Request, limit: Limit | Exhausted) => void
}

/** Whoever waits longer than this gets the second worker started. */
const secondThreadAfterMs = 30

/** Two worker threads, which documents, and those who ask about one, share evenly. */
export class WorkerPool<Request, Result, Limit extends string = Exhausted> {
  readonly #options: WorkerPoolOptions<Request, Limit>
  readonly #queue: FairQueue<Waiting<Request, Result, Limit>>
  /** The second is for those who would wait behind slow jobs, and starts no slow one. */
  readonly #threads: readonly WorkerThread<Request, Result, Limit>[]
  readonly #running = new Map<WorkerThread<Request, Result, Limit>, Waiting<Request, Result, Limit>>()
  #secondTimer: NodeJS.Timeout | undefined
  #closed = false

  /** Starts no thread yet: the first job does. */
  constructor(options: WorkerPoolOptions<Request, Limit>) {
    this.#options = options
    this.#queue = new FairQueue(() => performance.now(), options.queue)
    this.#threads = [new WorkerThread(options), new WorkerThread(options)]
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** What is being done and what waits. */
  *asked(): Iterable<Asked<Request, Result, Limit>> {
    yield* this.#running.values()
    yield* this.waiting()
  }

  /** What waits, and so will see all that has been written by now. */
  waiting(): Iterable<Asked<Request, Result, Limit>> {
    return this.#queue.jobs()
  }

  /** Rejects with `QueueFull` where guests have too much waiting. */
  ask(request: Request, turn: Turn, size: number): Promise<JobAnswer<Result, Limit>> {
    if (this.#closed) return Promise.reject(this.#closedError())
    const { promise, resolve, reject } = Promise.withResolvers<JobAnswer<Result, Limit>>()
    const refused = this.#queue.add({
      request,
      turn,
      size,
      answer: promise,
      settle: (outcome) => (outcome.kind === 'failed' ? reject(outcome.error) : resolve(outcome)),
    })
    for (const one of refused) one.settle({ kind: 'failed', error: new QueueFull() })
    this.#next()
    return promise
  }

  /** Ends the workers; jobs not yet answered are rejected. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#secondTimer)
    for (const { settle } of this.#queue.clear()) settle({ kind: 'failed', error: this.#closedError() })
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  /** Gives the workers what they may do now. */
  #next(): void {
    if (this.#closed) return
    for (const [index, thread] of this.#threads.entries()) {
      if (thread.isBusy || this.#queue.isEmpty) continue
      // A worker costs memory and a start: the second waits until somebody really waits.
      if (index > 0 && !thread.isStarted && this.#threads[0]!.isBusy) {
        this.#secondTimer ??= setTimeout(() => this.#startIdle(), secondThreadAfterMs)
        continue
      }
      this.#start(thread)
    }
  }

  #startIdle(): void {
    this.#secondTimer = undefined
    for (const thread of this.#threads) if (!thread.isBusy) this.#start(thread)
  }

  #start(thread: WorkerThread<Request, Result, Limit>): void {
    const slowOne = [...this.#running.values()].some(({ turn }) => this.#queue.isSlow(turn.document))
    const waiting = this.#queue.take(!slowOne)
    if (!waiting) return
    this.#running.set(thread, waiting)
    thread.run(waiting.request, (outcome, ms) => {
      this.#running.delete(thread)
      this.#queue.ended(waiting.turn, ms)
      if (outcome.kind === 'limited') this.#options.onLimit?.(waiting.request, outcome.limit)
      waiting.settle(outcome)
      this.#next()
    })
  }

  #closedError = () => new Error(`the ${this.#options.name} threads were closed`)
}
