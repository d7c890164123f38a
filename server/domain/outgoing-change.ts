import { ChangeSet, type Text } from '@codemirror/state'
import { limits } from '../contract/limits.ts'
import type { PushedChange } from '../contract/records/changes.ts'
import { changesToJson } from './change-set.ts'
import { commonEnds } from './common-ends.ts'

/** What an editor sends: one change, made on the text at `base`, to be followed by no other until it is answered. */
export interface OutgoingChange {
  base: number
  /** Of the text at `base`, where it is known. */
  hash: number | null
  /** Counts the changes of this copy. */
  number: number
  changes: ChangeSet
  /** Whether what it puts in goes on with what was put in here before. */
  goesOn: boolean
}

/** The same as it is sent. */
export const pushedBy = (
  client: string,
  { base, hash, number, changes, goesOn }: OutgoingChange,
): PushedChange => ({
  ...{ base, client, number, changes: changesToJson(changes) },
  ...(hash === null ? {} : { hash }),
  ...(goesOn ? { goes_on: true } : {}),
})

interface Replaced {
  from: number
  to: number
  insert: Text
}

/**
 * The same change without what it takes out only to put it in again, as the steps that it was joined from may have done:
 * what stays where it is remains its author's, who can undo it. Places that are many are joined with those beside them.
 */
export function toTheLetter(changes: ChangeSet, before: Text): ChangeSet {
  let places: Replaced[] = []
  changes.iterChanges((from, to, _fromB, _toB, insert) => {
    const { head, tail } = commonEnds(before.sliceString(from, to), insert.toString())
    const place = { from: from + head, to: to - tail, insert: insert.slice(head, insert.length - tail) }
    if (place.from < place.to || place.insert.length > 0) places.push(place)
  })
  for (let gap = 64; places.length > limits.changedPlaces; gap *= 2) places = joined(places, gap, before)
  return ChangeSet.of(places, before.length)
}

/** Places with no more than so many characters between them as one. */
function joined(places: readonly Replaced[], gap: number, before: Text): Replaced[] {
  const all: Replaced[] = []
  for (const place of places) {
    const last = all.at(-1)
    if (!last || place.from - last.to > gap) all.push(place)
    else {
      const insert = last.insert.append(before.slice(last.to, place.from)).append(place.insert)
      all[all.length - 1] = { from: last.from, to: place.to, insert }
    }
  }
  return all
}
