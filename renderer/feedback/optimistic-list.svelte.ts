import { Delays } from './delays.ts'
import { keepingSame } from './keeping-same.ts'

interface Overlay<T> {
  apply: (items: readonly T[]) => readonly T[]
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
  readonly #delays = new Delays()

  readonly items = $derived(this.#overlays.reduce((items, overlay) => overlay.apply(items), this.#confirmed))

  /** Takes over the server’s list, unless a change was confirmed while it was being fetched. */
  async load(fetch: () => Promise<readonly T[]>): Promise<void> {
    const take = this.begin()
    take(await fetch())
  }

  /** What takes over a list that is asked for from now on; it answers false where a change was confirmed since. */
  begin(): (fetched: readonly T[]) => boolean {
    const epoch = this.#epoch
    return (fetched) => {
      const isNew = epoch === this.#epoch
      if (isNew) this.#confirmed = keepingSame(this.#confirmed, fetched)
      return isNew
    }
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
    const cancel = this.#delays.put(key, ms, async (leaving) => {
      try {
        await call(leaving)
        this.confirm(apply)
      } catch (error) {
        failed(error)
      } finally {
        takeBack()
      }
    })
    return () => {
      const inTime = cancel()
      if (inTime) takeBack()
      return inTime
    }
  }

  /** Does now what was put off. */
  flush(): Promise<void> {
    return this.#delays.flush()
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
