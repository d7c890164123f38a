import type { ApiClient } from '../../api/client.ts'
import { explain } from '../explain.ts'
import { watch } from '../../api/watch.ts'

/** Something of the server's that changes by itself, and that the owner can have changed. */
export abstract class Watched<T> {
  protected readonly api: ApiClient
  /** Called when there is something new to see. */
  #news: () => void = () => undefined
  /** null until it was found. */
  protected value = $state.raw<T | null>(null)
  /** Why the last change, or the first look, failed. */
  problem = $state<string | null>(null)
  busy = $state(false)

  constructor(api: ApiClient) {
    this.api = api
  }

  protected abstract find(): Promise<T>
  /** What `find` does, in words that follow “couldn't”. */
  protected abstract readonly finding: string
  /** Milliseconds until the next look. */
  protected abstract pause(): number

  /** Keeps `value` true; returns what stops it. */
  watch(): () => void {
    return watch(() => this.#look(), {
      every: () => this.pause(),
      news: (listener) => {
        this.#news = listener
        return () => (this.#news = () => undefined)
      },
    })
  }

  async #look(): Promise<void> {
    try {
      const value = await this.find()
      // What a change has just answered is newer.
      if (!this.busy) this.value = value
    } catch (error) {
      if (!this.value) this.problem = explain(error, this.finding)
      throw error
    }
  }

  /** Whether it was done; otherwise `problem` says why not. */
  protected async act(what: string, work: () => Promise<T>): Promise<boolean> {
    this.busy = true
    this.problem = null
    try {
      this.value = await work()
      return true
    } catch (error) {
      this.problem = explain(error, what)
      return false
    } finally {
      this.busy = false
      this.#news()
    }
  }
}
