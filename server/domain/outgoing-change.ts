import { ChangeSet, Text } from '@codemirror/state'
import { limits } from '../contract/limits.ts'
import type { AlikeWords, PushedChange, PushedSteps } from '../contract/records/changes.ts'
import { changesToJson } from './change-set.ts'
import type { KnownPart } from './known-parts.ts'
import { areNone } from './told-steps.ts'
import { toldBy, wholeEnds } from './whole-ends.ts'

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
  /** What of the text at `base` was written here as others wrote it. */
  alike: readonly AlikeWords[]
  /** Which steps of the history are in it. */
  steps: PushedSteps
  /** The suggestions right at whose words something was written while they were drawn. */
  beside: readonly string[]
}

/** The same as it is sent. */
export const pushedBy = (
  client: string,
  { base, hash, number, changes, goesOn, alike, steps, beside }: OutgoingChange,
): PushedChange => ({
  ...{ base, client, number, changes: changesToJson(changes) },
  ...(hash === null ? {} : { hash }),
  ...(goesOn ? { goes_on: true } : {}),
  ...(alike.length > 0 ? { alike: [...alike] } : {}),
  ...(areNone(steps) ? {} : { steps }),
  ...(beside.length > 0 ? { beside: [...beside] } : {}),
})

interface Replaced {
  from: number
  to: number
  insert: Text
}

/** The same change with what touches in one piece, however it was typed. */
export function inWholePieces(changes: ChangeSet): ChangeSet {
  const places: Replaced[] = []
  changes.iterChanges((from, to, _fromB, _toB, insert) => places.push({ from, to, insert }))
  return ChangeSet.of(places, changes.length)
}

/** So many steps that undo one another are looked at together. */
const neighbours = 8

/** The same change without places where all that it takes out is put in again, as by undo. */
export function withoutReturned(changes: ChangeSet, before: Text): ChangeSet {
  const places: Replaced[] = []
  changes.iterChanges((from, to, _fromB, _toB, insert) => places.push({ from, to, insert }), true)
  const left: Replaced[] = []
  for (let i = 0; i < places.length; i++) {
    const end = places
      .slice(i, i + neighbours)
      .findIndex((_, n) => returns(places.slice(i, i + n + 1), before))
    if (end < 0) left.push(places[i]!)
    else i += end
  }
  return left.length < places.length ? ChangeSet.of(left, changes.length) : changes
}

/** The same change without a part that it takes out and puts in again. */
export function withoutPart(
  changes: ChangeSet,
  { start: at, end: to, in: from }: KnownPart,
  before: Text,
): ChangeSet {
  const length = to - at
  const places: Replaced[] = []
  let isFound = false
  changes.iterChanges((fromA, toA, fromB, toB, insert) => {
    const [start, end] = [at - fromB, at - fromB + length]
    const isHere = fromB <= at && at + length <= toB && fromA <= from && from + length <= toA
    if (isHere && insert.slice(start, end).eq(before.slice(from, from + length))) {
      isFound = true
      places.push({ from: fromA, to: from, insert: insert.slice(0, start) })
      places.push({ from: from + length, to: toA, insert: insert.slice(end) })
    } else places.push({ from: fromA, to: toA, insert })
  })
  if (!isFound) return changes
  return ChangeSet.of(
    places.filter((one) => one.from < one.to || one.insert.length > 0),
    changes.length,
  )
}

/** Whether places that touch leave what they take out as it is. */
function returns(places: readonly Replaced[], before: Text): boolean {
  const [from, to] = [places[0]!.from, places.at(-1)!.to]
  if (places.some((one, i) => i > 0 && one.from !== places[i - 1]!.to)) return false
  if (places.reduce((sum, { insert }) => sum + insert.length, 0) !== to - from) return false
  return before.slice(from, to).eq(places.reduce((all, { insert }) => all.append(insert), Text.empty))
}

/**
 * The same change without what it takes out only to put it in again, as the steps that it was joined from may have done:
 * what stays where it is remains its author's, who can undo it. A word is never cut. Places that are many are joined
 * with those beside them.
 */
export function toTheLetter(changes: ChangeSet, before: Text): ChangeSet {
  let places: Replaced[] = []
  changes.iterChanges((from, to, _fromB, _toB, insert) => {
    const around = {
      before: before.sliceString(Math.max(0, from - toldBy), from),
      behind: before.sliceString(to, Math.min(before.length, to + toldBy)),
    }
    const { head, tail } = wholeEnds(before.sliceString(from, to), insert.toString(), around)
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
