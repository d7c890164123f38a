/** Something that was announced and happens unless it is taken back in time. */
interface Delayed {
  timer: ReturnType<typeof setTimeout>
  run: (leaving: boolean) => Promise<void>
}

/** Work put off so that it can be taken back. What still waits when the page goes away is done then. */
export class Delays {
  readonly #waiting = new Map<string, Delayed>()
  readonly #leave = () => void this.flush(true)

  /**
   * Does `run` after `ms`, or at once by `flush`. `leaving` tells it that the page is going away and calls must
   * outlive it. The returned function takes it back, and says whether it still could.
   */
  put(key: string, ms: number, run: (leaving: boolean) => Promise<void>): () => boolean {
    if (this.#waiting.size === 0) globalThis.addEventListener?.('pagehide', this.#leave)
    const delayed: Delayed = {
      timer: setTimeout(() => void delayed.run(false), ms),
      run: (leaving) => {
        this.#forget(key, delayed)
        return run(leaving)
      },
    }
    this.#waiting.set(key, delayed)
    return () => this.#forget(key, delayed)
  }

  /** Does now what waits. */
  async flush(leaving = false): Promise<void> {
    await Promise.all([...this.#waiting.values()].map(({ run }) => run(leaving)))
  }

  #forget(key: string, delayed: Delayed): boolean {
    clearTimeout(delayed.timer)
    if (this.#waiting.get(key) !== delayed) return false
    this.#waiting.delete(key)
    if (this.#waiting.size === 0) globalThis.removeEventListener?.('pagehide', this.#leave)
    return true
  }
}
