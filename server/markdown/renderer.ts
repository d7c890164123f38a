import { FairQueue, type QueueLimits, type Turn } from './fair-queue.ts'
import { Lane, type Outcome } from './lane.ts'
import { renderPlainly } from './plain.ts'
import { questionOf, Refusals } from './refusals.ts'
import {
  defaultLimits,
  type Limit,
  type Rendered,
  type RenderedPoint,
  type RenderedRange,
  type SourceRange,
} from './rendered.ts'
import type { Job, JobResults } from './worker-messages.ts'

export interface RendererOptions {
  /** How long rendering may take before it is given up; finding places on the page may take three times as long. */
  timeoutMs?: number
  /** Most characters of HTML one document may become. */
  maxOutput?: number
  /** How deep a document may nest. */
  maxDepth?: number
  /** Most memory a worker may use. */
  maxMemoryMb?: number
  /** How long an idle worker is kept. */
  idleMs?: number
  /** Where the worker's code is, if not beside this file. */
  workerUrl?: URL
  /** How much guests may have waiting. */
  queue?: Partial<QueueLimits>
}

/** An answer, or the limit that was in its way. */
export type Found<T> = { found: T; limited: null } | { found: null; limited: Limit }

/**
 * Renders in worker threads, so that no text, however hostile, holds up anything but itself. Each call may say whose
 * turn it uses: documents, and those who ask about one, share the workers evenly. What is asked while the same is
 * waiting or being done gets the same answer. Rejects with `QueueFull` where guests have too much waiting.
 */
export interface MarkdownRenderer {
  /** Always answers: with `limited` set and the escaped source where rendering had to be given up. */
  render(source: string, turn?: Turn): Promise<Rendered>
  /** The exact source of a rendered selection; null if there is none. */
  sourceRange(
    source: string,
    from: RenderedPoint,
    to: RenderedPoint,
    turn?: Turn,
  ): Promise<Found<SourceRange | null>>
  /** Where each source range shows on the rendered page, cut to what shows; null where nothing does. */
  renderedRanges(source: string, ranges: SourceRange[], turn?: Turn): Promise<Found<(RenderedRange | null)[]>>
  /** Ends the workers; jobs not yet answered are rejected. */
  close(): Promise<void>
}

/** Guests have asked for more than can wait; later there is room again. */
export class QueueFull extends Error {
  constructor() {
    super('too much waits to be rendered')
  }
}

type Result = JobResults[Job['kind']]
type Answer = Exclude<Outcome, { kind: 'failed' }>
interface Waiting {
  job: Job
  question: string
  turn: Turn
  size: number
  answer: Promise<Answer>
  settle(outcome: Outcome): void
}

/** Leaves a page that had to be given up the time to say so within a second in all. */
const usualMs = 850
/** Finding places means rendering once more, with an eye on each character, while nobody waits for a page. */
const placesTakeLonger = 3
/** Up to here, escaping a text takes no time worth speaking of. */
const maxPlain = 200_000
/** Whoever waits longer than this gets the second worker started. */
const patienceMs = 30
const besideThisFile = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './markdown-worker.mjs',
  import.meta.url,
)
const nobodys: Turn = { document: '', member: '', guest: false }

/** Starts no thread yet: the first job does. */
export function createRenderer(options: RendererOptions = {}): MarkdownRenderer {
  return new WorkerRenderer(options)
}

class WorkerRenderer implements MarkdownRenderer {
  readonly #limits: { maxOutput: number; maxDepth: number }
  readonly #queue: FairQueue<Waiting>
  readonly #refusals = new Refusals(Date.now)
  /** The second is for those who would wait behind slow texts, and starts no slow one. */
  readonly #lanes: readonly Lane[]
  readonly #running = new Map<Lane, Waiting>()
  #impatience: NodeJS.Timeout | undefined
  #closed = false

  constructor({ maxOutput, maxDepth, ...options }: RendererOptions) {
    this.#limits = {
      maxOutput: maxOutput ?? defaultLimits.maxOutput,
      maxDepth: maxDepth ?? defaultLimits.maxDepth,
    }
    this.#queue = new FairQueue(() => performance.now(), options.queue)
    const lane = {
      timeoutOf: (kind: Job['kind']) => {
        const ms = options.timeoutMs ?? usualMs
        return kind === 'render' || kind === 'plain' ? ms : ms * placesTakeLonger
      },
      maxMemoryMb: options.maxMemoryMb ?? 256,
      idleMs: options.idleMs ?? 60_000,
      workerUrl: options.workerUrl ?? besideThisFile,
    }
    this.#lanes = [new Lane(lane), new Lane(lane)]
  }

  async render(source: string, turn = nobodys): Promise<Rendered> {
    const answer = await this.#ask({ kind: 'render', source }, turn)
    return answer.kind === 'done' ? (answer.result as Rendered) : this.#plainly(source, answer.limit, turn)
  }

  async sourceRange(source: string, from: RenderedPoint, to: RenderedPoint, turn = nobodys) {
    return found<SourceRange | null>(await this.#ask({ kind: 'sourceRange', source, from, to }, turn))
  }

  async renderedRanges(source: string, ranges: SourceRange[], turn = nobodys) {
    if (ranges.length === 0) return { found: [], limited: null }
    return found<(RenderedRange | null)[]>(await this.#ask({ kind: 'renderedRanges', source, ranges }, turn))
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#impatience)
    for (const { settle } of this.#queue.clear()) settle({ kind: 'failed', error: closed() })
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }

  /** Even escaping is left to a worker where there is much of it. */
  async #plainly(source: string, limit: Limit, turn: Turn): Promise<Rendered> {
    if (source.length <= maxPlain || this.#closed) return renderPlainly(source, limit)
    const answer = await this.#ask({ kind: 'plain', source, limit }, turn)
    return answer.kind === 'done' ? (answer.result as Rendered) : renderPlainly(source, limit)
  }

  #ask(job: Job, turn: Turn): Promise<Answer> {
    if (this.#closed) return Promise.reject(closed())
    const limit = job.kind === 'plain' ? null : this.#refusals.find(job)
    if (limit) return Promise.resolve({ kind: 'limited', limit })
    const question = questionOf(job)
    let size = job.source.length
    for (const other of [...this.#running.values(), ...this.#queue.jobs()]) {
      if (other.job.source !== job.source) continue
      if (other.question === question) return other.answer
      // One text is held once, however many jobs are about it.
      job = { ...job, source: other.job.source }
      size = 0
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const refused = this.#queue.add({
      job,
      question,
      turn,
      size,
      answer: promise,
      settle: (outcome) => (outcome.kind === 'failed' ? reject(outcome.error) : resolve(outcome)),
    })
    refused?.settle({ kind: 'failed', error: new QueueFull() })
    this.#next()
    return promise
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

  #start(lane: Lane): void {
    const slowOne = [...this.#running.values()].some(({ turn }) => this.#queue.isSlow(turn.document))
    const waiting = this.#queue.take(!slowOne)
    if (!waiting) return
    const { job, turn } = waiting
    this.#running.set(lane, waiting)
    lane.run({ ...job, limits: this.#limits }, (outcome, ms) => {
      this.#running.delete(lane)
      this.#queue.ended(turn, ms)
      if (outcome.kind === 'limited' && job.kind !== 'plain') this.#refusals.add(job, outcome.limit)
      waiting.settle(outcome)
      this.#next()
    })
  }
}

const closed = () => new Error('the markdown renderer was closed')

const found = <T extends Result>(answer: Answer): Found<T> =>
  answer.kind === 'done'
    ? { found: answer.result as T, limited: null }
    : { found: null, limited: answer.limit }
