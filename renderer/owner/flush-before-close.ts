/** What has to be sent before the page may go. */
export class FlushBeforeClose {
  readonly #flushes = new Set<() => unknown>()

  /** Has `flush` called before the page goes, until the returned function is called. */
  add(flush: () => unknown): () => void {
    this.#flushes.add(flush)
    return () => void this.#flushes.delete(flush)
  }

  /** Resolves when everything that can be sent has been. */
  async run(): Promise<void> {
    await Promise.allSettled([...this.#flushes].map(async (flush) => flush()))
  }
}
