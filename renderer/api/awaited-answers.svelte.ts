interface Options {
  /** Galley has said nothing, and answers again. */
  onBack: () => void
  /** It says nothing any more. */
  onSilent?: () => void
  /** What costs Galley nothing to answer. */
  probe: string
  fetch?: typeof fetch
  /** In milliseconds: so long an answer is waited for; then, what the probe is given; and after which reads are made anew. */
  times?: { patience: number; probe: number; anew: number }
}

const usualTimes = { patience: 2_500, probe: 1_500, anew: 15_000 }

/** Answers of these never have a body. */
const bodiless = [204, 205, 304]

/**
 * `fetch` that notices where Galley says nothing at all: its process or its machine sleeps, and refuses nothing. Something
 * that only takes long to work out isn’t that, which a probe tells apart. Whoever reads goes on waiting, and is answered
 * once Galley is back; a read that got lost is made anew. What writes is made once: it may have happened.
 */
export class AwaitedAnswers {
  /** Whether something was asked of Galley, and nothing has been heard since. */
  isSilent = $state(false)
  readonly #options: Required<Options>
  /** How to make anew what is waited for; what writes can’t be. */
  readonly #awaited = new Set<{ again?: () => void }>()
  /** When something was heard last, or waited for first. */
  #heardAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #probing: AbortController | null = null

  constructor(options: Options) {
    this.#options = {
      times: usualTimes,
      onSilent: () => {},
      fetch: (input, init) => fetch(input, init),
      ...options,
    }
  }

  readonly fetch: typeof fetch = (input, init) => {
    const ask = this.#options.fetch
    // Who asks to be answered only once there is something new is in no hurry.
    if (/[?&]wait=/.test(String(input))) return ask(input, init)
    const isRead = (init?.method ?? 'GET') === 'GET'
    return isRead ? this.#read(input, init) : this.#await({}, () => this.#ask(() => ask(input, init)))
  }

  /** Waits for what the browser itself asks Galley for, as code is. It may have it already: that tells nothing of Galley. */
  readonly waitFor = <Answer>(ask: () => Promise<Answer>, again?: () => void): Promise<Answer> =>
    this.#await(again ? { again } : {}, ask)

  async #read(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
    for (;;) {
      const lost = new AbortController()
      const signal = init.signal ? AbortSignal.any([init.signal, lost.signal]) : lost.signal
      try {
        return await this.#await({ again: () => lost.abort() }, () =>
          this.#ask(async () => {
            const answer = await this.#options.fetch(input, { ...init, signal })
            // It may get lost half way.
            return !answer.body || bodiless.includes(answer.status)
              ? answer
              : new Response(await this.#whole(answer.body), answer)
          }),
        )
      } catch (error) {
        if (!lost.signal.aborted || init.signal?.aborted) throw error
      }
    }
  }

  async #await<Answer>(one: { again?: () => void }, ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#awaited.size === 0) this.#heardAt = performance.now()
    this.#awaited.add(one)
    this.#doubtLater()
    try {
      return await ask()
    } finally {
      this.#awaited.delete(one)
      if (this.#awaited.size === 0) this.#rest()
    }
  }

  async #ask(ask: () => Promise<Response>): Promise<Response> {
    const answer = await ask()
    this.#hear()
    return answer
  }

  /** What is long on its way because it is large is heard all the while. */
  #whole(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<ArrayBuffer> {
    const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (part, rest) => {
        this.#hear()
        rest.enqueue(part)
      },
    })
    return new Response(body.pipeThrough(heard)).arrayBuffer()
  }

  #hear(): void {
    this.#heardAt = performance.now()
    this.#probing?.abort()
    if (!this.isSilent) return
    this.isSilent = false
    const before = [...this.#awaited]
    setTimeout(() => this.#askAgain(before), this.#options.times.patience)
    this.#options.onBack()
  }

  #fallSilent(): void {
    this.isSilent = true
    this.#options.onSilent()
  }

  #askAgain(asked: readonly { again?: () => void }[]): void {
    for (const one of asked) if (this.#awaited.has(one)) one.again?.()
  }

  #rest(): void {
    // That nobody waits any more doesn’t end a silence: whether Galley is back goes on being probed.
    if (this.isSilent) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#probing?.abort()
  }

  #doubtLater(wait = this.#heardAt + this.#options.times.patience - performance.now()): void {
    if (this.#probing) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (performance.now() - this.#heardAt < this.#options.times.patience) this.#doubtLater()
      else void this.#probe()
    }, wait)
  }

  async #probe(): Promise<void> {
    const { probe, times, fetch: ask } = this.#options
    const probing = (this.#probing = new AbortController())
    const asked = [...this.#awaited]
    const late = setTimeout(() => this.#fallSilent(), times.probe)
    const over = setTimeout(() => probing.abort(), times.anew)
    try {
      await (await ask(probe, { signal: probing.signal })).arrayBuffer()
      this.#hear()
    } catch {
      // What was asked before it may have got lost as well.
      if (this.isSilent) this.#askAgain(asked)
    } finally {
      clearTimeout(late)
      clearTimeout(over)
      this.#probing = null
      if (this.#awaited.size > 0 || this.isSilent) this.#doubtLater(times.patience)
    }
  }
}
