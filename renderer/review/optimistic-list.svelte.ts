interface Overlay<T> {
  apply: (items: readonly T[]) => readonly T[]
}

/** A change that is shown already and happens later, unless it is taken back. */
interface Delayed {
  timer: ReturnType<typeof setTimeout>
  run: (leaving: boolean) => Promise<void>
}

/**
 * A list as the server has it, with the changes on top that it hasn’t confirmed yet. What is shown is always
 * the server’s list with those changes applied, so taking one back can’t undo anything else.
 */
export class OptimisticList<T extends { id: string }> {
  #confirmed = $state.raw<readonly T[]>([])
  #overlays = $state.raw<readonly Overlay<T>[]>([])
  /** Counts confirmed changes, so that an answer asked for before one can’t bring back what it replaced. */
  #epoch = 0
  readonly #delayed = new Map<string, Delayed>()

  readonly items = $derived(this.#overlays.reduce((items, overlay) => overlay.apply(items), this.#confirmed))

  /** Takes over the server’s list, unless a change was confirmed while it was being fetched. */
  async load(fetch: () => Promise<readonly T[]>): Promise<void> {
    const epoch = this.#epoch
    const fetched = await fetch()
    if (epoch === this.#epoch) this.#confirmed = fetched
  }

  /** Records what the server has just confirmed. */
  confirm(apply: (items: readonly T[]) => readonly T[]): void {
    this.#epoch++
    this.#confirmed = apply(this.#confirmed)
  }

  /** Shows `apply` while `call` runs; then `settle` records the answer. Rejects, with nothing changed, if `call` does. */
  async change<Answer>(
    apply: Overlay<T>['apply'],
    call: () => Promise<Answer>,
    settle: (items: readonly T[], answer: Answer) => readonly T[],
  ): Promise<Answer> {
    const takeBack = this.#show(apply)
    try {
      const answer = await call()
      this.confirm((items) => settle(items, answer))
      return answer
    } finally {
      takeBack()
    }
  }

  /**
   * Shows `apply` now and calls `call` after `ms`, or at once by `flush`. The returned function takes it back before
   * then, and says whether it still could.
   */
  later(
    key: string,
    ms: number,
    apply: Overlay<T>['apply'],
    call: (leaving: boolean) => Promise<void>,
    failed: (error: unknown) => void,
  ): () => boolean {
    const takeBack = this.#show(apply)
    const run = async (leaving: boolean) => {
      clearTimeout(delayed.timer)
      this.#delayed.delete(key)
      try {
        await call(leaving)
        this.confirm(apply)
      } catch (error) {
        failed(error)
      } finally {
        takeBack()
      }
    }
    const delayed: Delayed = { timer: setTimeout(() => void run(false), ms), run }
    this.#delayed.set(key, delayed)
    return () => {
      if (this.#delayed.get(key) !== delayed) return false
      clearTimeout(delayed.timer)
      this.#delayed.delete(key)
      takeBack()
      return true
    }
  }

  /** Does now what was put off. `leaving` means the page is going away and calls must outlive it. */
  async flush(leaving = false): Promise<void> {
    await Promise.all([...this.#delayed.values()].map(({ run }) => run(leaving)))
  }

  #show(apply: Overlay<T>['apply']): () => void {
    const overlay: Overlay<T> = { apply }
    this.#overlays = [...this.#overlays, overlay]
    return () => {
      this.#overlays = this.#overlays.filter((other) => other !== overlay)
    }
  }
}

/** The list with the item of that id replaced. */
export function replaced<T extends { id: string }>(items: readonly T[], item: T): readonly T[] {
  return items.map((other) => (other.id === item.id ? item : other))
}
