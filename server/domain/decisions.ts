/** Which changes of a text took decisions back, and which decisions these were, as far as that is known. */
export class Decisions {
  readonly reopenings: ReadonlySet<number>
  /** The decisions that stand. */
  readonly acceptances: ReadonlySet<number>
  readonly #undone: ReadonlyMap<number, ReadonlySet<number>>

  /** @param undone pairs of a decision, and what took it back */
  constructor(
    reopenings: Iterable<number>,
    acceptances: Iterable<number>,
    undone: readonly (readonly [number, number])[],
  ) {
    this.reopenings = new Set(reopenings)
    this.acceptances = new Set(acceptances)
    const by = Map.groupBy(undone, ([, revision]) => revision)
    this.#undone = new Map(
      [...by].map(([revision, pairs]) => [revision, new Set(pairs.map(([made]) => made))]),
    )
  }

  /** Whether a change may have taken back what another one did. */
  mayTakeBack(revision: number, made: number): boolean {
    if (!this.reopenings.has(revision)) return false
    const known = this.#undone.get(revision)
    return known ? known.has(made) : !this.acceptances.has(made)
  }
}
