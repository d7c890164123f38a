/**
 * What is asked by one link is begun one after the other, and in each turn of the event loop only one of it: so whoever
 * asks for very much at once waits by themselves, and all others are answered between.
 */
export class LinkTurns {
  /** Links of which something was begun in this turn, with what waits for the next ones. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** Resolves when it is this one's turn; undefined if that is now. */
  take(link: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(link)
    if (waiting) return new Promise((resolve) => void waiting.push(resolve))
    this.#waiting.set(link, [])
    setImmediate(() => this.#pass(link))
    return undefined
  }

  #pass(link: string) {
    const next = this.#waiting.get(link)?.shift()
    if (!next) return void this.#waiting.delete(link)
    next()
    setImmediate(() => this.#pass(link))
  }
}
