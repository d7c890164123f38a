import { ChangeSet, Text } from '@codemirror/state'
import type { Words } from './own-suggestions.ts'
import { suggestedPieces, type Piece } from './suggested-pieces.ts'
import { glue } from './words-put-in.ts'

/** A suggestion at its place in a text, all with line feeds. */
interface Placed extends Words {
  start: number
}

/** What two have become, and behind how much of that stands what stood behind so much of one’s own words. */
interface Joined extends Placed {
  toRead: (read: number) => number
}

/**
 * What two windows of its author have made of one suggestion, neither knowing of the other: all that either has put in
 * since stays, the other’s first where both have put in something at one place; what either has taken out is gone.
 * @param before what both went on from, as far as that is known
 */
export function joined(text: string, before: Words | null, theirs: Placed, mine: Placed): Joined {
  const start = Math.min(theirs.start, mine.start)
  const end = Math.max(endOf(theirs), endOf(mine))
  const read = ({ start: at, original, suggested }: Placed) =>
    text.slice(start, at) + suggested + text.slice(at + original.length, end)
  const from = before && startOf(before, text, [mine, theirs])
  const base = from === null ? text.slice(start, end) : read({ ...before!, start: from })
  const mineSince = suggestedPieces(base, read(mine))
  const theirsSince = suggestedPieces(base, read(theirs)).map((one) => apartFrom(one, mineSince, base))
  const [theirChanges, myChanges] = [theirsSince, mineSince].map((all) => ChangeSet.of(all, base.length))
  const both = theirChanges!.compose(myChanges!.map(theirChanges!))
  const behind = theirChanges!.map(myChanges!, true)
  return {
    start,
    original: text.slice(start, end),
    suggested: both.apply(Text.of(base.split('\n'))).toString(),
    toRead: (at) => behind.mapPos(mine.start - start + at, 1),
  }
}

const endOf = ({ start, original }: Placed) => start + original.length

/** Where the words of what both went on from are; null where they aren’t at an end of either. */
function startOf({ original }: Words, text: string, now: readonly Placed[]): number | null {
  const alike = now.filter((one) => one.original === original)
  const places = [...alike, ...now].flatMap((one) => [one.start, endOf(one) - original.length])
  const first = Math.min(...now.map(({ start }) => start))
  const last = Math.max(...now.map(endOf)) - original.length
  return places.find((at) => at >= first && at <= last && text.startsWith(original, at)) ?? null
}

/** What was put in, so that no word of it runs into another where the others put in, or take out, something beside it. */
function apartFrom(one: Piece, others: readonly Piece[], base: string): Piece {
  if (one.insert === '') return one
  const before = others.find(({ from, to }) => from < one.from && to >= one.from)
  const behind = others.find(({ from, to }) => from <= one.to && to >= one.from)
  const lead = before ? glue(base.slice(0, before.from), one.insert) : ''
  const trail = behind ? glue(one.insert, behind.insert || base.slice(behind.to)) : ''
  return { ...one, insert: lead + one.insert + trail }
}
