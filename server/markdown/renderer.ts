import type { RenderedPoint } from '../contract/records/rendering.ts'
import type { QueueLimits, Turn } from '../threads/fair-queue.ts'
import { WorkerPool, type JobAnswer as AnswerOf } from '../threads/worker-pool.ts'
import { renderPlainly } from './plain.ts'
import { questionOf, RecentLimits } from './recent-limits.ts'
import { defaultLimits, type Limit } from './render-limits.ts'
import type { Rendered, RenderedRange, SourceRange } from './rendered.ts'
import type { Job, RenderRequest, Result } from './worker-messages.ts'

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

type Answer = AnswerOf<Result, Limit>

/** Leaves a page that had to be given up the time to say so within a second in all, where the machine has time for it. */
const usualMs = 850
/** Finding places means rendering once more, with an eye on each character, while nobody waits for a page. */
const placesTakeLonger = 3
/** Up to here, escaping a text takes no time worth speaking of. */
const maxPlain = 200_000
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
  readonly #recentLimits = new RecentLimits(Date.now)
  readonly #pool: WorkerPool<RenderRequest, Result, Limit>

  constructor({ maxOutput, maxDepth, ...options }: RendererOptions) {
    this.#limits = {
      maxOutput: maxOutput ?? defaultLimits.maxOutput,
      maxDepth: maxDepth ?? defaultLimits.maxDepth,
    }
    this.#pool = new WorkerPool({
      name: 'markdown',
      timeoutOf: ({ kind }) => {
        const ms = options.timeoutMs ?? usualMs
        return kind === 'render' || kind === 'plain' ? ms : ms * placesTakeLonger
      },
      maxMemoryMb: options.maxMemoryMb ?? 256,
      idleMs: options.idleMs ?? 60_000,
      workerUrl: options.workerUrl ?? besideThisFile,
      queue: options.queue,
      onLimit: ({ limits: _, ...job }, limit) => {
        if (job.kind !== 'plain') this.#recentLimits.add(job, limit)
      },
    })
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

  close(): Promise<void> {
    return this.#pool.close()
  }

  /** Even escaping is left to a worker where there is much of it. */
  async #plainly(source: string, limit: Limit, turn: Turn): Promise<Rendered> {
    if (source.length <= maxPlain || this.#pool.isClosed) return renderPlainly(source, limit)
    const answer = await this.#ask({ kind: 'plain', source, limit }, turn)
    return answer.kind === 'done' ? (answer.result as Rendered) : renderPlainly(source, limit)
  }

  #ask(job: Job, turn: Turn): Promise<Answer> {
    const limit = job.kind === 'plain' || this.#pool.isClosed ? null : this.#recentLimits.find(job)
    if (limit) return Promise.resolve({ kind: 'limited', limit })
    const question = questionOf(job)
    let size = job.source.length
    for (const { request, answer } of this.#pool.asked()) {
      if (request.source !== job.source) continue
      const { limits: _, ...other } = request
      if (questionOf(other) === question) return answer
      // One text is held once, however many jobs are about it.
      job = { ...job, source: other.source }
      size = 0
    }
    return this.#pool.ask({ ...job, limits: this.#limits }, turn, size)
  }
}

const found = <T extends Result>(answer: Answer): Found<T> =>
  answer.kind === 'done'
    ? { found: answer.result as T, limited: null }
    : { found: null, limited: answer.limit }
