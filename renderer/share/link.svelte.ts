import { ApiError } from '../api/caller.ts'

/** Whether the link that the page came by still works, as far as calls have told. */
export class Link {
  /** `lost`: the server can’t be reached. `dead`: the link no longer opens anything. */
  state = $state<'works' | 'lost' | 'dead'>('works')
  readonly isDead = $derived(this.state === 'dead')
  readonly #probe: () => Promise<unknown>

  /** `probe` makes a call that every link permits. */
  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe
  }

  /** Makes a call, and learns from how it ends. */
  async attempt<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await call()
      if (this.state === 'lost') this.state = 'works'
      return answer
    } catch (error) {
      this.learnFrom(error)
      throw error
    }
  }

  /** What a failed call says about the link. */
  learnFrom(error: unknown): void {
    if (isRefusal(error)) void this.#verify()
    else if (error instanceof ApiError && (error.code === 'OFFLINE' || error.code === 'BAD_ANSWER'))
      this.state = 'lost'
  }

  end(): void {
    this.state = 'dead'
  }

  /** A comment that is gone isn’t a link that is gone. */
  async #verify(): Promise<void> {
    try {
      await this.#probe()
    } catch (error) {
      if (isRefusal(error)) this.end()
    }
  }
}

const isRefusal = (error: unknown) =>
  error instanceof ApiError && (error.code === 'UNAUTHORIZED' || error.code === 'NOT_FOUND')
