import { ChangeSet, MapMode } from '@codemirror/state'
import { carriedBy, type Carried, type Side } from './carried-edits.ts'
import type { Hunk } from './hunk.ts'
import { changedBy, type Merged } from './merged.ts'
import { separator } from './separator.ts'
import { textOf } from './shared-text.ts'
import { changeOf, hunksOf, withoutThese } from './side-without.ts'

type Merge = (mine: Side, theirs: Side) => Merged

/**
 * Merges two sides so that what one did within a passage which the other moved goes along with that, rather than collide
 * with its being taken out. Where that leads to no certain place, it collides as ever.
 * @param carried which side’s writing may go along
 */
export function mergeWithMoves(
  base: string,
  mine: Side,
  theirs: Side,
  merge: Merge,
  carried: 'mine' | 'both',
): Merged {
  const ofMine = carriedBy(base, mine, theirs)
  const ofTheirs = carried === 'both' ? carriedBy(base, theirs, mine) : []
  if (ofMine.length + ofTheirs.length === 0) return merge(mine, theirs)
  const [myRest, theirRest] = [
    withoutThese(base, mine, hunksIn(ofMine)),
    withoutThese(base, theirs, hunksIn(ofTheirs)),
  ]
  const rest = merge(myRest.side, theirRest.side)
  const [fromMine, fromTheirs] = [
    changeOf(myRest.side[0].length, rest.changes, rest.text),
    changeOf(theirRest.side[0].length, rest.changesOfTheirs, rest.text),
  ]
  const places = [
    ...placed(ofMine, mine[0], theirRest.reverted.compose(fromTheirs)),
    ...placed(ofTheirs, theirs[0], myRest.reverted.compose(fromMine)),
  ].sort((a, b) => a.from - b.from)
  if (!areCertain(base, places, rest)) return merge(mine, theirs)
  const along = ChangeSet.of(
    places.map(({ from, to, words }) => ({ from, to, insert: textOf(words) })),
    rest.text.length,
  )
  return {
    ...changedBy(rest, along),
    changes: hunksOf(myRest.reverted.compose(fromMine).compose(along)),
    changesOfTheirs: hunksOf(theirRest.reverted.compose(fromTheirs).compose(along)),
  }
}

const hunksIn = (all: readonly Carried[]) => new Set(all.map(({ hunk }) => hunk))

interface Place {
  from: number
  to: number
  words: string
  hunk: Hunk
}

/** Where in the merged text that stands which one side did in what the other moved. */
function placed(all: readonly Carried[], side: string, toText: ChangeSet): Place[] {
  return all.map(({ hunk, at }) => {
    // What stands before the place is of the passage.
    const place = (position: number, assoc: -1 | 1) =>
      toText.mapPos(position, assoc, MapMode.TrackBefore) ?? -1
    const from = place(at.start, -1)
    const to = at.start === at.end ? from : place(at.end, -1)
    return { from, to, words: side.slice(hunk.fromB, hunk.toB), hunk }
  })
}

/** Whether each place has what stood there, where nothing collides, and no words run together. */
function areCertain(base: string, places: readonly Place[], { text, conflicts }: Merged): boolean {
  return places.every(({ from, to, words, hunk }, i) => {
    const isApart = i === 0 || places[i - 1]!.to < from
    const isAsItWas = from >= 0 && text.slice(from, to) === base.slice(hunk.fromA, hunk.toA)
    const collides = conflicts.some(({ at }) => from <= at.end && to >= at.start)
    const isFollowed =
      separator(words, text.slice(to, to + 2)) !== separator(words, base.slice(hunk.toA, hunk.toA + 2))
    return isApart && isAsItWas && !collides && !isFollowed
  })
}
