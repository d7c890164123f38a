import type { ChangeDesc } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'
import { ChangeMap } from './change-map.ts'
import { FollowedPlace, type PutInto } from './followed-place.ts'
import type { Hunk } from './hunk.ts'

/** So many changes of the server’s text are known by which a place is followed: a list is seldom as late as that. */
const longestPast = 1_000

/** What has led to a text lately, so that places told of a text before it are found in it. */
export class RecentChanges {
  #all: { base: number; revision: number; changes: ChangeDesc }[] = []

  add(base: number, revision: number, changes: ChangeDesc): void {
    this.#all.push({ base, revision, changes })
    if (this.#all.length > longestPast) this.#all.shift()
  }

  /** Of the text at a revision, which is now at another. Null where that is so long ago that they aren’t known any more. */
  since(revision: number, now: number): ChangeDesc[] | null {
    const since = this.#all.slice(this.#all.findLastIndex((change) => change.revision <= revision) + 1)
    if ((since[0]?.base ?? now) > revision) return null
    return since.map(({ changes }) => changes)
  }

  forget(): void {
    this.#all = []
  }
}

/**
 * Where a place that the server has told of is after changes, one after the other; what is gone is empty.
 * @param put what is to be put in there, where it is a place of nothing
 */
export const placeAfter = (place: Range, changes: readonly ChangeDesc[], put: PutInto): Range =>
  place.start === place.end ? followNothing(place, changes, put) : follow(place, changes)

/** Where a place of nothing is after changes: on that side of what they put in there on which the server finds it. */
function followNothing(place: Range, changes: readonly ChangeDesc[], put: PutInto): Range {
  const followed = new FollowedPlace(place)
  for (const change of changes) followed.follow(inPieces(change))
  const { start } = followed.placeOf(put) ?? follow(place, changes)
  return { start, end: start }
}

/** What touches in one piece, as it is sent. */
function inPieces(change: ChangeDesc): ChangeMap {
  const hunks: Hunk[] = []
  change.iterChangedRanges((fromA, toA, fromB, toB) => hunks.push({ fromA, toA, fromB, toB }))
  return new ChangeMap(hunks, change.length)
}

/** Where words are after changes; what is gone is empty. */
export function follow({ start, end }: Range, changes: readonly ChangeDesc[]): Range {
  const map = (at: number, side: 1 | -1) =>
    changes.reduce((now, one) => one.mapPos(Math.min(now, one.length), side), at)
  const now = map(start, 1)
  return { start: now, end: Math.max(now, map(end, -1)) }
}
