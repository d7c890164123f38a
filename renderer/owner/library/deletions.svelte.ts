import { SvelteMap } from 'svelte/reactivity'
import { ApiError, type ApiClient } from '../../api/client.ts'

/**
 * Deleting is for good, so it waits until the writer can no longer have meant to take it back. A page that goes sends
 * what is due; a crash leaves the documents there.
 */
export class Deletions {
  readonly #api: ApiClient
  readonly #grace: number
  readonly #waiting = new SvelteMap<string, ReturnType<typeof setTimeout> | null>()

  constructor(api: ApiClient, grace = 8000) {
    this.#api = api
    this.#grace = grace
  }

  /** Whether a document is deleted as far as the writer is concerned. */
  has(id: string): boolean {
    return this.#waiting.has(id)
  }

  delete(id: string, onDone: (error: ApiError | null) => void): void {
    const timer = setTimeout(() => void this.#send(id).then(onDone), this.#grace)
    this.#waiting.set(id, timer)
  }

  /** Keeps a document after all. Returns whether it was in time. */
  undo(id: string): boolean {
    const timer = this.#waiting.get(id)
    if (!timer) return false
    clearTimeout(timer)
    return this.#waiting.delete(id)
  }

  /** Sends everything that is waiting, in requests that outlive the page. Resolves when they have been answered. */
  async flush(): Promise<void> {
    const due = [...this.#waiting].filter(([, timer]) => timer !== null)
    for (const [, timer] of due) clearTimeout(timer!)
    await Promise.all(due.map(([id]) => this.#send(id, true)))
  }

  async #send(id: string, keepalive = false): Promise<ApiError | null> {
    this.#waiting.set(id, null)
    try {
      await this.#api.call('deleteDocument', { params: { id }, keepalive })
      return null
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
      this.#waiting.delete(id)
      return error instanceof ApiError ? error : new ApiError('BAD_ANSWER', 0, 'Something went wrong.')
    }
  }
}
