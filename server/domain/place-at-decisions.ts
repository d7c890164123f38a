import type { Range } from '../contract/records/anchors.ts'
import type { ChangeMap } from './change-map.ts'
import type { Decisions } from './decisions.ts'

/** A change as one of those that may take decisions back. */
export interface Turn {
  revision: number
  decisions: Decisions
}

/** On which side of a place of nothing something is; or the place’s own side of that. */
export type Side = 1 | -1

/**
 * Where a place was right before decisions that were taken back later: so it is known on which side of it what they had
 * taken out stood, though that didn’t stand directly beside it then, and nothing is left of either.
 */
export class PlaceAtDecisions {
  readonly #were = new Map<number, { place: Range; map: ChangeMap }>()

  note(place: Range, map: ChangeMap, { revision, decisions }: Turn): void {
    if (decisions.isUndone(revision)) this.#were.set(revision, { place, map })
  }

  /** On which side of words of that length it stood that a change puts back; undefined if that isn’t known. */
  sideOf(length: number, { revision, decisions }: Turn): Side | undefined {
    const sides = decisions.undoneBy(revision).flatMap((made) => {
      const was = this.#were.get(made)
      const alike = was?.map.hunks.filter(({ fromA, toA }) => toA - fromA === length) ?? []
      return alike.map(({ fromA, toA }) =>
        was!.place.start >= toA ? 1 : was!.place.end <= fromA ? -1 : undefined,
      )
    })
    return new Set(sides).size === 1 ? sides[0] : undefined
  }
}
