import { FairQueue, QueueFull, type QueueLimits, type Turn } from './fair-queue.ts'
import { Lane, type Exhausted, type LaneOptions, type Outcome } from './lane.ts'

/** How a job ended that was done, or ran into a limit. */
export type Answer<Result, Limit extends string = Exhausted> = Exclude<
  Outcome<Result, Limit>,
  { kind: 'failed' }
>

/** A job that waits or is being done. */
export interface Asked<Request, Result, Limit extends string> {
  readonly request: Request
  readonly turn: Turn
  /** Characters that it holds while it waits. */
  readonly size: number
  readonly answer: Promise<Answer<Result, Limit>>
}
interface Waiting<Request, Result, Limit extends string> extends Asked<Request, Result, Limit> {
  settle(outcome: Outcome<Result, Limit>): void
}

export interface LanesOptions<Request, Limit extends string> extends LaneOptions<Request> {
  queue?: Partial<QueueLimits> | undefined
  /** Told of each job that ran into a limit. */
  onLimit?: (request: Request, limit: Limit | Exhausted) => void
}

/** Whoever waits longer than this gets the second worker started. */
const patienceMs = 30

/** Two worker threads, which documents, and those who ask about one, share evenly. */
export class Lanes<Request, Result, Limit extends string = Exhausted> {
  readonly #options: LanesOptions<Request, Limit>
  readonly #queue: FairQueue<Waiting<Request, Result, Limit>>
  /** The second is for those who would wait behind slow jobs, and starts no slow one. */
  readonly #lanes: readonly Lane<Request, Result, Limit>[]
  readonly #running = new Map<Lane<Request, Result, Limit>, Waiting<Request, Result, Limit>>()
  #impatience: NodeJS.Timeout | undefined
  #closed = false

  /** Starts no thread yet: the first job does. */
  constructor(options: LanesOptions<Request, Limit>) {
    this.#options = options
    this.#queue = new FairQueue(() => performance.now(), options.queue)
    this.#lanes = [new Lane(options), new Lane(options)]
  }

  get isClosed(): boolean {
    return this.#closed
  }

  /** What is being done and what waits. */
  *asked(): Iterable<Asked<Request, Result, Limit>> {
    yield* this.#running.values()
    yield* this.#queue.jobs()
  }

  /** Rejects with `QueueFull` where guests have too much waiting. */
  ask(request: Request, turn: Turn, size: number): Promise<Answer<Result, Limit>> {
    if (this.#closed) return Promise.reject(this.#closedError())
    const { promise, resolve, reject } = Promise.withResolvers<Answer<Result, Limit>>()
    const refused = this.#queue.add({
      request,
      turn,
      size,
      answer: promise,
      settle: (outcome) => (outcome.kind === 'failed' ? reject(outcome.error) : resolve(outcome)),
    })
    refused?.settle({ kind: 'failed', error: new QueueFull() })
    this.#next()
    return promise
  }

  /** Ends the workers; jobs not yet answered are rejected. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#impatience)
    for (const { settle } of this.#queue.clear()) settle({ kind: 'failed', error: this.#closedError() })
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  /** Gives the workers what they may do now. */
  #next(): void {
    if (this.#closed) return
    for (const [index, lane] of this.#lanes.entries()) {
      if (lane.isBusy || this.#queue.isEmpty) continue
      // A worker costs memory and a start: the second waits until somebody really waits.
      if (index > 0 && !lane.isStarted && this.#lanes[0]!.isBusy) {
        this.#impatience ??= setTimeout(() => this.#loseIt(), patienceMs)
        continue
      }
      this.#start(lane)
    }
  }

  #loseIt(): void {
    this.#impatience = undefined
    for (const lane of this.#lanes) if (!lane.isBusy) this.#start(lane)
  }

  #start(lane: Lane<Request, Result, Limit>): void {
    const slowOne = [...this.#running.values()].some(({ turn }) => this.#queue.isSlow(turn.document))
    const waiting = this.#queue.take(!slowOne)
    if (!waiting) return
    this.#running.set(lane, waiting)
    lane.run(waiting.request, (outcome, ms) => {
      this.#running.delete(lane)
      this.#queue.ended(waiting.turn, ms)
      if (outcome.kind === 'limited') this.#options.onLimit?.(waiting.request, outcome.limit)
      waiting.settle(outcome)
      this.#next()
    })
  }

  #closedError = () => new Error(`the ${this.#options.name} threads were closed`)
}
