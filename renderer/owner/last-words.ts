/** What has to be sent before the page may go. */
export class LastWords {
  readonly #speakers = new Set<() => unknown>()

  /** Has `say` called before the page goes, until the returned function is called. */
  add(say: () => unknown): () => void {
    this.#speakers.add(say)
    return () => void this.#speakers.delete(say)
  }

  /** Resolves when everything that can be sent has been. */
  async say(): Promise<void> {
    await Promise.allSettled([...this.#speakers].map(async (say) => say()))
  }
}
