/**
 * A decision, and what took it back; then how long the line ends were that it put before and behind what came back, to
 * keep that apart from lines that had come to its place meanwhile.
 */
export type Undone = readonly [made: number, revision: number, before?: number | null, behind?: number | null]

/** Which changes of a text took decisions back, and which decisions these were, as far as that is known. */
export class Decisions {
  readonly reopenings: ReadonlySet<number>
  /** The decisions that stand. */
  readonly acceptances: ReadonlySet<number>
  /** How long the line ends were that were put around what came back, by the changes that did so. */
  readonly apart: ReadonlyMap<number, { before: number; behind: number }>
  readonly #undone: ReadonlyMap<number, ReadonlySet<number>>
  readonly #madeUndone: ReadonlySet<number>

  constructor(reopenings: Iterable<number>, acceptances: Iterable<number>, undone: readonly Undone[]) {
    this.reopenings = new Set(reopenings)
    this.acceptances = new Set(acceptances)
    this.#madeUndone = new Set(undone.map(([made]) => made))
    this.apart = new Map(
      undone.flatMap(([, revision, before, behind]) =>
        before || behind ? [[revision, { before: before ?? 0, behind: behind ?? 0 }]] : [],
      ),
    )
    const by = Map.groupBy(undone, ([, revision]) => revision)
    this.#undone = new Map(
      [...by].map(([revision, pairs]) => [revision, new Set(pairs.map(([made]) => made))]),
    )
  }

  /** Whether it is known that a decision was taken back later. */
  isUndone(made: number): boolean {
    return this.#madeUndone.has(made)
  }

  /** The decisions that a change is known to have taken back. */
  undoneBy(revision: number): readonly number[] {
    return [...(this.#undone.get(revision) ?? [])]
  }

  /** How much a change put in more than it took back. */
  putMore(revision: number): number {
    const { before, behind } = this.apart.get(revision) ?? { before: 0, behind: 0 }
    return before + behind
  }

  /** Whether a change may have taken back what another one did. */
  mayTakeBack(revision: number, made: number): boolean {
    if (!this.reopenings.has(revision)) return false
    const known = this.#undone.get(revision)
    return known ? known.has(made) : !this.acceptances.has(made)
  }
}
