import { Worker } from 'node:worker_threads'
import { renderPlainly } from './plain.ts'
import { Refusals } from './refusals.ts'
import {
  defaultLimits,
  type Limit,
  type Rendered,
  type RenderedPoint,
  type RenderedRange,
  type SourceRange,
} from './rendered.ts'
import type { Job, JobResults, Reply, Request } from './worker-messages.ts'

export interface RendererOptions {
  /** How long one job may take before it is given up. */
  timeoutMs?: number
  /** Most characters of HTML one document may become. */
  maxOutput?: number
  /** How deep a document may nest. */
  maxDepth?: number
  /** Most memory the worker may use. */
  maxMemoryMb?: number
  /** How long an idle worker is kept. */
  idleMs?: number
  /** Where the worker's code is, if not beside this file. */
  workerUrl?: URL
}

/** Renders in a worker thread, so that no text, however hostile, holds up anything but itself. */
export interface MarkdownRenderer {
  /** Always answers: with `limited` set and the escaped source where rendering had to be given up. */
  render(source: string): Promise<Rendered>
  /** The exact source of a rendered selection; null if there is none. */
  sourceRange(source: string, from: RenderedPoint, to: RenderedPoint): Promise<SourceRange | null>
  /** Where each source range shows on the rendered page, cut to what shows; null where nothing does. */
  renderedRanges(source: string, ranges: SourceRange[]): Promise<(RenderedRange | null)[]>
  /** Ends the worker; jobs not yet answered are rejected. */
  close(): Promise<void>
}

interface Waiting {
  request: Request
  done(result: JobResults[Job['kind']]): void
  limited(limit: Limit): void
  failed(error: Error): void
}

/** Leaves a page that had to be given up the time to say so within a second in all. */
const usualMs = 850
const startMs = 15_000
/** Up to here, escaping a text takes no time worth speaking of. */
const maxPlain = 200_000
const besideThisFile = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './markdown-worker.mjs',
  import.meta.url,
)

/** Starts no thread yet: the worker is started by the first job, and again after one that had to be stopped. */
export function createRenderer(options: RendererOptions = {}): MarkdownRenderer {
  return new WorkerRenderer(options)
}

class WorkerRenderer implements MarkdownRenderer {
  readonly #options: RendererOptions
  readonly #queue: Waiting[] = []
  readonly #refusals = new Refusals(Date.now)
  #worker: Worker | null = null
  #ready = false
  #job: Waiting | null = null
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: RendererOptions) {
    this.#options = options
  }

  render(source: string): Promise<Rendered> {
    return this.#ask({ kind: 'render', source }, (limit) => this.#plainly(source, limit))
  }

  sourceRange(source: string, from: RenderedPoint, to: RenderedPoint): Promise<SourceRange | null> {
    return this.#ask({ kind: 'sourceRange', source, from, to }, () => null)
  }

  async renderedRanges(source: string, ranges: SourceRange[]): Promise<(RenderedRange | null)[]> {
    if (ranges.length === 0) return []
    return this.#ask({ kind: 'renderedRanges', source, ranges }, () => ranges.map(() => null))
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const worker = this.#worker
    const unanswered = [...(this.#job ? [this.#job] : []), ...this.#queue.splice(0)]
    this.#worker = null
    this.#job = null
    for (const job of unanswered) job.failed(new Error('the markdown renderer was closed'))
    await worker?.terminate()
  }

  /** Even escaping is left to the worker where there is much of it. */
  #plainly(source: string, limit: Limit): Rendered | Promise<Rendered> {
    if (source.length <= maxPlain || this.#closed) return renderPlainly(source, limit)
    return this.#ask({ kind: 'plain', source, limit }, () => renderPlainly(source, limit))
  }

  #ask<K extends Job['kind']>(
    job: Extract<Job, { kind: K }>,
    giveUp: (limit: Limit) => JobResults[K] | Promise<JobResults[K]>,
  ): Promise<JobResults[K]> {
    if (this.#closed) return Promise.reject(new Error('the markdown renderer was closed'))
    const { maxOutput = defaultLimits.maxOutput, maxDepth = defaultLimits.maxDepth } = this.#options
    return new Promise((resolve, reject) => {
      this.#queue.push({
        request: { ...job, limits: { maxOutput, maxDepth } },
        done: (result) => resolve(result as JobResults[K]),
        limited: (limit) => {
          if (job.kind !== 'plain') this.#refusals.add(job.source, limit)
          resolve(giveUp(limit))
        },
        failed: reject,
      })
      this.#next()
    })
  }

  #next(): void {
    this.#refuse()
    if (this.#job || this.#queue.length === 0) return
    clearTimeout(this.#timer)
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    this.#job = this.#queue.shift()!
    if (this.#ready) this.#send()
  }

  /** Settles the jobs at the front of the queue that are known to run into a limit. */
  #refuse(): void {
    for (let next = this.#queue[0]; next && !this.#job; next = this.#queue[0]) {
      const limit = next.request.kind === 'plain' ? null : this.#refusals.find(next.request.source)
      if (!limit) return
      this.#queue.shift()
      next.limited(limit)
    }
  }

  #send(): void {
    this.#limitTime(startMs)
    this.#worker!.postMessage(this.#job!.request)
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerUrl ?? besideThisFile, {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.maxMemoryMb ?? 256 },
      name: 'markdown',
      // The process's own flags are about its own script.
      execArgv: [],
    })
    this.#ready = false
    this.#limitTime(startMs)
    worker.on('message', (reply: Reply) => {
      if (worker === this.#worker) this.#receive(reply)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (worker === this.#worker) this.#replace((job) => this.#explain(error, job))
    })
    worker.on('exit', () => {
      if (worker === this.#worker) this.#replace((job) => job.failed(new Error('the markdown worker ended')))
    })
    return worker
  }

  #explain(error: NodeJS.ErrnoException, job: Waiting): void {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') job.limited('size')
    else job.failed(error)
  }

  #receive(reply: Reply): void {
    if (reply.kind === 'ready') {
      this.#ready = true
      clearTimeout(this.#timer)
      if (this.#job) this.#send()
      return
    }
    if (reply.kind === 'begun') {
      // The clock starts only now: a slow start, or loading what colours code, isn't the document's fault.
      this.#limitTime(this.#options.timeoutMs ?? usualMs)
      return
    }
    const job = this.#job!
    this.#job = null
    clearTimeout(this.#timer)
    if (reply.kind === 'done') job.done(reply.result)
    else if (reply.kind === 'limited') job.limited(reply.limit)
    else job.failed(new Error(reply.message))
    this.#next()
    if (!this.#job) this.#rest()
  }

  /** Nothing to do: don't keep the process alive, and after a while don't keep the memory either. */
  #rest(): void {
    this.#worker!.unref()
    this.#timer = setTimeout(() => this.#end(), this.#options.idleMs ?? 60_000)
    this.#timer.unref()
  }

  #limitTime(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#replace((job) => job.limited('time')), ms)
  }

  /** Stops the worker, settles its job, and goes on with the next one in a new worker. */
  #replace(settle: (job: Waiting) => void): void {
    const job = this.#job
    this.#job = null
    this.#end()
    if (job) settle(job)
    this.#next()
  }

  #end(): void {
    clearTimeout(this.#timer)
    void this.#worker?.terminate()
    this.#worker = null
  }
}
