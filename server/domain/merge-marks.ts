import type { Side } from './carried-edits.ts'
import { crossedMarks } from './crossed-marks.ts'
import { joinTouching, type Hunk } from './hunk.ts'
import { arePair, marksAmong, type FoundMark } from './mark-pair.ts'
import { withStanding } from './marks-put.ts'
import { rebase } from './rebase.ts'
import { changedBy, type Merged } from './merged.ts'
import { textOf } from './shared-text.ts'
import { changeOf, hunksOf, withoutThese } from './side-without.ts'

/**
 * Merges two sides without the marks of bold and the like, and of links, that one put around words that the other took
 * out: they would stand around nothing.
 */
export function mergeWithoutEmptyMarks(
  base: string,
  mine: Side,
  theirs: Side,
  merge: (mine: Side, theirs: Side) => Merged,
): Merged {
  const [ofMine, ofTheirs] = [emptyMarks(base, mine, theirs), emptyMarks(base, theirs, mine)]
  if (ofMine.size + ofTheirs.size === 0) return merge(mine, theirs)
  const [myRest, theirRest] = [withoutThese(base, mine, ofMine), withoutThese(base, theirs, ofTheirs)]
  const merged = merge(myRest.side, theirRest.side)
  const { text, changes, changesOfTheirs } = merged
  const whole = ({ side, reverted }: typeof myRest, hunks: readonly Hunk[]) =>
    hunksOf(reverted.compose(changeOf(side[0].length, hunks, text)))
  return {
    ...merged,
    changes: whole(myRest, changes),
    changesOfTheirs: whole(theirRest, changesOfTheirs),
  }
}

/** The marks that one side put around words, and nothing else, where the other took these out and wrote nothing. */
function emptyMarks(base: string, [text, hunks]: Side, [other, byOther]: Side): ReadonlySet<Hunk> {
  const found = new Set<Hunk>()
  for (const { fromA, toA, fromB, toB } of byOther) {
    if (fromA === toA || other.slice(fromB, toB).trim() !== '') continue
    const within = hunks.filter((one) => one.fromA >= fromA && one.toA <= toA)
    const put = within.map((one) => text.slice(one.fromB, one.toB))
    for (let i = 1; i < within.length; i++) {
      const [before, behind] = [within[i - 1]!, within[i]!]
      const words = base.slice(before.toA, behind.fromA)
      const areMarks = [before, behind].every((one) => one.fromA === one.toA) && arePair(put[i - 1]!, put[i]!)
      if (areMarks && words.trim() !== '') found.add(before).add(behind)
    }
  }
  return found
}

/**
 * Merges two sides of which either put marks around words, where those of mine would cross those of theirs or stand at the
 * same places: mine are put in once the rest is merged, as they would be had I been there (`crossedMarks`).
 */
export function mergeWithCrossedMarks(
  base: string,
  mine: Side,
  theirs: Side,
  merge: (mine: Side, theirs: Side) => Merged,
): Merged {
  const { side: marked, pairs } = markByMark(mine)
  const crossed = meetingMarks(pairs, markByMark(theirs).pairs)
  if (crossed.length === 0) return merge(mine, theirs)
  const {
    side: [text, hunks],
    reverted,
  } = withoutThese(base, marked, new Set(crossed))
  const side: Side = [text, joinTouching(hunks)]
  const merged = merge(side, theirs)
  const fromTheirs = changeOf(theirs[0].length, merged.changesOfTheirs, merged.text)
  const others = changeOf(base.length, theirs[1], theirs[0]).compose(fromTheirs)
  const waiting = [{ changes: changeOf(base.length, crossed, mine[0]), goesOn: false }]
  const { ours, over } = rebase(waiting, others)
  const whole = ours[0]!.apply(textOf(merged.text))
  const { changes: apart, standing } = crossedMarks(waiting, ours, { theirs: others, over, text: whole })
  const along = ours[0]!.compose(apart)
  const fromMine = changeOf(side[0].length, merged.changes, merged.text)
  const places = placesPut(crossed).map((at) => over.mapPos(at, 1))
  const ownStanding = standing.flatMap(({ before, after }) => {
    const hunk = crossed[places.indexOf(before.start)]
    return hunk ? [{ before: { start: hunk.fromB, end: hunk.toB }, after }] : []
  })
  return {
    ...changedBy(merged, along),
    changes: hunksOf(withStanding(reverted.compose(fromMine).compose(along), ownStanding)),
    changesOfTheirs: hunksOf(fromTheirs.compose(along)),
  }
}

/** Where in a text that stands which is put in there and is all that is. */
function placesPut(hunks: readonly Hunk[]): number[] {
  let put = 0
  return hunks.map(({ fromA, fromB, toB }) => {
    const at = fromA + put
    put += toB - fromB
    return at
  })
}

/**
 * The marks of mine, both of each pair, that stand around words which marks of theirs are around too, but for the very
 * same ones; with mine that stand there as well.
 */
function meetingMarks(mine: readonly Pair[], theirs: readonly Pair[]): Hunk[] {
  const isSame = (one: Pair, other: Pair) =>
    one.every(({ hunk, text }, i) => hunk.fromA === other[i]!.hunk.fromA && text === other[i]!.text)
  const meet = (one: Pair, other: Pair) =>
    one[0].hunk.fromA < other[1].hunk.fromA && other[0].hunk.fromA < one[1].hunk.fromA
  const own = mine.filter((pair) => !theirs.some((one) => isSame(pair, one)))
  const meeting = own.filter((pair) => theirs.some((one) => meet(pair, one)))
  return own
    .filter((pair) => meeting.some((one) => meet(pair, one)))
    .flatMap((pair) => pair.map(({ hunk }) => hunk))
    .sort((a, b) => a.fromA - b.fromA || a.fromB - b.fromB)
}

type Mark = { hunk: Hunk; text: string }
type Pair = readonly [open: Mark, close: Mark]

/** The same side with each mark that was put in by itself, and the pairs of these that are around words of the base. */
function markByMark([text, hunks]: Side): { side: Side; pairs: Pair[] } {
  const put = hunks.filter(({ fromA, toA }) => fromA === toA)
  const { marks, pairs } = marksAmong(put.map(({ fromB, toB }) => text.slice(fromB, toB)))
  const known = new Map(
    marks.map((one): [FoundMark, Mark] => {
      const hunk = put[one.run]!
      return [
        one,
        { hunk: { ...hunk, fromB: hunk.fromB + one.from, toB: hunk.fromB + one.to }, text: one.text },
      ]
    }),
  )
  const ofRun = Map.groupBy(marks, ({ run }) => put[run]!)
  const apart = (all: readonly FoundMark[]) =>
    all.map((one) => known.get(one)!.hunk).sort((a, b) => a.fromB - b.fromB)
  return {
    side: [text, hunks.flatMap((hunk) => apart(ofRun.get(hunk) ?? []).concat(ofRun.has(hunk) ? [] : [hunk]))],
    pairs: pairs.map(([open, close]) => [known.get(open)!, known.get(close)!]),
  }
}
