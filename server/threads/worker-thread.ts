import { Worker } from 'node:worker_threads'

export interface WorkerThreadOptions<Request> {
  /** Of its thread. */
  name: string
  /** How long a job may take. */
  timeoutOf(request: Request): number
  maxMemoryMb: number
  idleMs: number
  workerUrl: URL
}

/** What any job may run into: its time, or its worker's memory. A worker may know further limits. */
export type Exhausted = 'time' | 'size'

/** How a job ended. */
export type JobOutcome<Result, Limit extends string = Exhausted> =
  | { kind: 'done'; result: Result }
  | { kind: 'limited'; limit: Limit | Exhausted }
  | { kind: 'failed'; error: Error }

/** What a worker says. */
export type WorkerReply<Result, Limit extends string = Exhausted> =
  | { kind: 'ready' }
  /** It has what the job needs, and begins. */
  | { kind: 'begun' }
  | { kind: 'done'; result: Result }
  | { kind: 'limited'; limit: Limit }
  | { kind: 'failed'; message: string }

interface Running<Request, Result, Limit extends string> {
  request: Request
  /** When the worker began with the job itself. */
  begun: number | null
  ended(outcome: JobOutcome<Result, Limit>, ms: number): void
}

const startMs = 15_000
/** On a busy machine a job may take so many times as long as it may work. */
const mostWaited = 4

/** One worker thread, which does one job at a time. It is started by the first, and again after one that had to be stopped. */
export class WorkerThread<Request, Result, Limit extends string = Exhausted> {
  readonly #options: WorkerThreadOptions<Request>
  #worker: Worker | null = null
  #ready = false
  #job: Running<Request, Result, Limit> | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: WorkerThreadOptions<Request>) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#job !== null
  }

  get isStarted(): boolean {
    return this.#worker !== null
  }

  /** `ended` is told how it went, and for how long the worker was at it. */
  run(request: Request, ended: Running<Request, Result, Limit>['ended']): void {
    clearTimeout(this.#timer)
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    this.#job = { request, begun: null, ended }
    if (this.#ready) this.#send()
  }

  /** Settles what it is at, if it is at something. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    clearTimeout(this.#timer)
    this.#settle({ kind: 'failed', error: new Error(`the ${this.#options.name} threads were closed`) })
    await worker?.terminate()
  }

  #settle(outcome: JobOutcome<Result, Limit>): void {
    const job = this.#job
    this.#job = null
    job?.ended(outcome, job.begun === null ? 0 : performance.now() - job.begun)
  }

  #send(): void {
    this.#limitTime(startMs)
    this.#worker!.postMessage(this.#job!.request)
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerUrl, {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.maxMemoryMb },
      name: this.#options.name,
      // The process's own flags are about its own script.
      execArgv: [],
    })
    this.#ready = false
    this.#limitTime(startMs)
    worker.on('message', (reply: WorkerReply<Result, Limit>) => {
      if (worker === this.#worker) this.#receive(reply)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (worker !== this.#worker) return
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#stop(outOfMemory ? { kind: 'limited', limit: 'size' } : { kind: 'failed', error })
    })
    worker.on('exit', () => {
      if (worker !== this.#worker) return
      this.#stop({ kind: 'failed', error: new Error(`the ${this.#options.name} thread ended`) })
    })
    return worker
  }

  #receive(reply: WorkerReply<Result, Limit>): void {
    if (reply.kind === 'ready') {
      this.#ready = true
      clearTimeout(this.#timer)
      if (this.#job) this.#send()
      return
    }
    if (reply.kind === 'begun') {
      // The clock starts only now: a slow start, or loading what colours code, isn't the job's fault.
      this.#job!.begun = performance.now()
      this.#limitWork(this.#options.timeoutOf(this.#job!.request))
      return
    }
    this.#rest()
    if (reply.kind === 'failed') this.#settle({ kind: 'failed', error: new Error(reply.message) })
    else this.#settle(reply)
  }

  /** Nothing to do: don't keep the process alive, and after a while don't keep the memory either. */
  #rest(): void {
    clearTimeout(this.#timer)
    this.#worker!.unref()
    this.#timer = setTimeout(() => this.#end(), this.#options.idleMs)
    this.#timer.unref()
  }

  #limitTime(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#stop({ kind: 'limited', limit: 'time' }), ms)
  }

  /**
   * A job’s time is what this process got of the processor meanwhile: what else the machine is busy with isn’t the job’s
   * fault, until it has been waited for too long.
   */
  #limitWork(ms: number): void {
    const [begun, before] = [performance.now(), process.cpuUsage()]
    const look = (): void => {
      const { user, system } = process.cpuUsage(before)
      const left = Math.min(ms - (user + system) / 1_000, mostWaited * ms - (performance.now() - begun))
      if (left <= 0) this.#stop({ kind: 'limited', limit: 'time' })
      else this.#timer = setTimeout(look, left)
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(look, ms)
  }

  /** Stops the worker and settles its job; the next one gets a new worker. */
  #stop(outcome: JobOutcome<Result, Limit>): void {
    this.#end()
    this.#settle(outcome)
  }

  #end(): void {
    clearTimeout(this.#timer)
    void this.#worker?.terminate()
    this.#worker = null
  }
}
