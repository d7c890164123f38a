import { backOff } from '../../../server/platform/back-off.ts'
import { ApiError } from '../../api/client-of.ts'
import { isOverOnceThere, type SaveState } from '../saver.svelte.ts'
import { failureOfSuggestion } from './too-long.ts'

interface Options {
  /** Whether there is anything that the server may not have. */
  isDue: () => boolean
  /** Sends what is due, one after the other; rejects where that can’t be now. */
  send: () => Promise<void>
  /** All that was due as a round began is sent. */
  onSent: () => void
  /** One was begun, and is over, whatever came of it. */
  onEnd: () => void
}

/** After the last letter, and so long at the most while one goes on typing, in milliseconds. */
const typingPause = 1_200
const longestWait = 6_000
const slowAfter = 2_000
const pauses = { first: 1_000, longest: 30_000 }

/** When what one suggests is sent: one round at a time, tried again for as long as it makes sense; and how that stands. */
export class SendingRounds {
  state = $state.raw<SaveState>({ kind: 'saved' })
  /** Whether sending takes long, or has: then nothing is called saved before all of it is. */
  slow = $state(false)
  readonly #options: Options
  #timer: ReturnType<typeof setTimeout> | undefined
  #slowTimer: ReturnType<typeof setTimeout> | undefined
  #waitingSince: number | null = null
  #running: Promise<void> | null = null
  /** What is being sent as the page goes. */
  #leaving: Promise<unknown> | null = null
  #failures = 0
  /** Why nobody can be reached, where that is known before anything is sent. */
  #lost: ApiError | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** There is more to send. */
  changed(): void {
    if (this.isTriedAgain && this.#failures > 0) return
    this.#waitingSince ??= Date.now()
    if (this.#lost) this.#say(this.#lost, Date.now())
    else if (this.state.kind !== 'saving' && !this.isTriedAgain) this.state = { kind: 'waiting' }
    const left = Math.max(0, this.#waitingSince + longestWait - Date.now())
    this.#later(Math.min(typingPause, left))
  }

  /** Sends what isn’t sent yet. Rejects where that can’t be now; then it is tried again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
    await this.run()
    if (this.state.kind === 'failed') throw new Error(this.state.reason)
  }

  /** Begins a round now, unless one is under way. Resolves once it is over. */
  run(): Promise<void> {
    clearTimeout(this.#timer)
    this.#running ??= Promise.resolve(this.#leaving)
      .then(() => this.#round())
      .finally(() => (this.#running = null))
    return this.#running
  }

  /** The server has just answered something else, to who may suggest. */
  isThere(): void {
    this.#lost = null
    if (isOverOnceThere(this.state)) this.retry()
  }

  /** Nobody can be reached, as was found out without sending: what waits or is on its way is said not to arrive. */
  lose(error: ApiError): void {
    this.#lost = error
    if (this.state.kind === 'waiting' || this.state.kind === 'saving') this.#say(error, Date.now())
  }

  retry(): void {
    this.#failures = 0
    void this.run()
  }

  /** Whether something is being sent that may outlive the page. */
  get isLeaving(): boolean {
    return this.#leaving !== null
  }

  /** The next round waits for what is sent as the page goes. */
  leave(sent: readonly Promise<void>[]): void {
    clearTimeout(this.#timer)
    this.#leaving = Promise.allSettled(sent).then(() => {
      this.#leaving = null
      // Of a page that is still here, what came of it is seen, and what is left tried again.
      this.retry()
    })
  }

  /** Whether it has failed, and is tried again by itself. */
  get isTriedAgain(): boolean {
    return this.state.kind === 'failed' && this.state.retryAt !== null
  }

  end(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#slowTimer)
  }

  #later(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.run(), ms)
  }

  async #round(): Promise<void> {
    const { isDue, send, onSent, onEnd } = this.#options
    this.#waitingSince = null
    if (!isDue()) {
      onSent()
      this.slow = false
      return void (this.state = { kind: 'saved' })
    }
    // What was said to have failed stays so until it hasn’t: a try that may fail as well is no news.
    if (this.#lost && !this.isTriedAgain) this.#say(this.#lost, Date.now())
    if (!this.isTriedAgain) this.state = { kind: 'saving' }
    this.#slowTimer = setTimeout(() => (this.slow = true), slowAfter)
    try {
      await send()
      onSent()
      this.#failures = 0
      this.#lost = null
      const isAll = !isDue()
      this.state = { kind: isAll ? 'saved' : 'waiting' }
      if (!isAll) this.#later(typingPause)
    } catch (error) {
      const { retries } = failureOfSuggestion(error)
      const wait = backOff(this.#failures++, { ...pauses, random: Math.random })
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0
      const retryAt = retries ? Date.now() + Math.max(wait, asked) : null
      this.#say(error, retryAt)
      if (retryAt !== null) this.#later(retryAt - Date.now())
    } finally {
      clearTimeout(this.#slowTimer)
      if (this.state.kind === 'saved') this.slow = false
      onEnd()
    }
  }

  #say(error: unknown, retryAt: number | null): void {
    const { cause, reason } = failureOfSuggestion(error)
    this.state = { kind: 'failed', cause, reason, retryAt }
  }
}
