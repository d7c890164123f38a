import type { Range } from '../contract/records/anchors.ts'
import { alignedTo } from './aligned-insertions.ts'
import { textDiff } from './diff/index.ts'
import type { Hunk } from './hunk.ts'
import type { Side } from './carried-edits.ts'
import { JoinedText } from './joined-text.ts'
import { mergeWithCrossedMarks, mergeWithoutEmptyMarks } from './merge-marks.ts'
import { mergeWithMoves } from './merge-moves.ts'
import type { Conflict, Merged } from './merged.ts'
import { addPut, shifted } from './put-beside.ts'
import { addOnce, firstBesideMoved, whereOneHasAll } from './same-place.ts'
import { separator } from './separator.ts'
import { onlyTakenOut, standingOf, type TakenOut } from './taken-out.ts'
import type { TakenWords } from './taken-words.ts'
import { inWholeLines, isAllOfLines, isOfLines, lineGap } from './whole-lines.ts'

/**
 * Joins two texts that were both made from `base`. Changes that don’t meet are both taken; so are those of which either
 * only takes words out, since neither has written any then. Where others meet, both texts are kept one after the other and
 * reported, so that a person can choose; where both only put words in and one has all that the other put, in one piece or
 * in long ones, it is taken once. No word that either side wrote is dropped.
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merged {
  const sides = [mine, theirs].map((text) => withWholeLines(base, [text, textDiff(base, text)]))
  return mergeWithMoves(
    base,
    sides[0]!,
    sides[1]!,
    (mine, theirs) => mergeAligned(base, mine, theirs),
    'both',
  )
}

/**
 * The same where it is known what either side did, and others may be merging at this moment. Where both changed a passage,
 * only what I put in there stands beside theirs: what they took away and I left would come back with each who was away.
 * What they wrote in a passage that I moved stays where it is: several who took it along at once would have it twice.
 * @param theyTook what they took out to the letter, where that is known: all else of a word that they changed stands in that
 */
export function mergeChanges(base: string, mine: Side, theirs: Side, theyTook?: readonly Range[]): Merged {
  const [byMine, byTheirs] = [withWholeLines(base, mine), withWholeLines(base, theirs)]
  const merge = (mine: Side, theirs: Side) => mergeAligned(base, mine, theirs, { theyTook })
  return mergeWithMoves(base, byMine, byTheirs, merge, 'mine')
}

const withWholeLines = (base: string, [text, hunks]: Side): Side => [text, inWholeLines(base, hunks)]

/** Not null where only what I put in stands beside theirs. */
type PutAlone = { theyTook: readonly Range[] | undefined } | null

const mergeAligned = (base: string, mine: Side, theirs: Side, putAlone: PutAlone = null): Merged =>
  mergeWithoutEmptyMarks(base, mine, theirs, (mine, theirs) =>
    mergeWithCrossedMarks(base, mine, theirs, (mine, theirs) =>
      mergeClusters(base, mine, alignedTo(mine, theirs), putAlone),
    ),
  )

function mergeClusters(
  base: string,
  [mine, allByMine]: Side,
  [theirs, allByTheirs]: Side,
  putAlone: PutAlone,
): Merged {
  const isPutAlone = putAlone !== null
  const all = clusters(base, [mine, allByMine], [theirs, allByTheirs])
  const joined = new JoinedText()
  const conflicts: Conflict[] = []
  const standing: TakenWords[] = []
  let at = 0
  let last = { start: 0, from: 0 }
  for (const [index, found] of all.entries()) {
    const nextStart = all[index + 1]?.start
    const room = { start: index > 0 ? at + 1 : 0, end: nextStart === undefined ? base.length : nextStart - 1 }
    const cluster = isPutAlone ? shifted(base, found, mine, room) : found
    const { start, end, byMine, byTheirs } = cluster
    joined.addSame(base.slice(at, start))
    const touched = start === at ? last : null
    at = end
    const from = joined.text.length
    last = { start, from }
    const myText = rewritten(base, mine, start, end, byMine)
    const theirText = rewritten(base, theirs, start, end, byTheirs)
    // Two changes that touch come from different sides; their words must not run into each other, nor, where the
    // second one took away what stood between, into what follows.
    const theirNext = byTheirs.length > 0 ? theirText : ''
    const next = (byMine.length > 0 && myText) || theirNext || base.slice(end, nextStart)
    const passage =
      touched && joined.text.slice(touched.from) + base.slice(touched.start, end) + myText + theirText
    if (passage !== null) joined.setApart(separator(joined.text, next, passage))
    if (myText === theirText) joined.addAlike(myText)
    else if (byTheirs.length === 0) joined.add(myText, null, end - start)
    else if (byMine.length === 0) joined.add(theirText, end - start, null)
    else {
      const taken = onlyTakenOut(base, [mine, byMine], [theirs, byTheirs])
      const sides: [Side, Side] = [
        [mine, allByMine],
        [theirs, allByTheirs],
      ]
      const differing = start === end ? whereOneHasAll(myText, theirText) : null
      const first = start === end ? firstBesideMoved(base, sides, myText, theirText) : null
      if (taken) leaveOut(joined, base, cluster, taken, nextStart)
      else if (differing) addOnce(joined, myText, theirText, differing)
      else if (first) {
        if (first === 'mine') joined.add(myText, null, 0)
        joined.add(theirText, 0, null)
        if (first === 'theirs') joined.add(myText, null, 0)
      } else {
        const begin = joined.text.length
        const behind =
          nextStart === end ? beginning(base, [mine, theirs], all[index + 1]!) : restOfLine(base, end)
        const put = isPutAlone ? addPut(joined, base, mine, cluster, behind) : myText
        if (!isPutAlone) joined.add(myText, null, 0)
        joined.setApart(lineGap(base, cluster, put, theirText) ?? separator(put, theirText))
        joined.add(theirText, 0, null)
        const at = { start: begin, end: joined.text.length }
        const putIn = put === myText ? {} : { put }
        // White space alone, put in where all was taken out, is nothing to choose.
        if (put + theirText !== '')
          conflicts.push({ base: { start, end }, mine: myText, ...putIn, theirs: theirText, at })
        standing.push(...standingOf(base, cluster, at, putAlone?.theyTook))
      }
    }
  }
  joined.addSame(base.slice(at))
  const { text, gaps, alike, changes, changesOfTheirs } = joined
  return { text, conflicts, gaps, alike, standing, changes, changesOfTheirs }
}

/** What a passage begins with that only one side changed; null where that isn’t certain. */
function beginning(
  base: string,
  [mine, theirs]: [string, string],
  { start, end, byMine, byTheirs }: Cluster,
) {
  if (byMine.length > 0 && byTheirs.length > 0) return null
  const isMine = byMine.length > 0
  return rewritten(base, isMine ? mine : theirs, start, end, isMine ? byMine : byTheirs) || null
}

function restOfLine(base: string, at: number): string {
  const next = base.indexOf('\n', at)
  return base.slice(at, next < 0 ? base.length : Math.max(next + 1, at + 2))
}

/** Adds what is left of a passage out of which both sides took something. */
function leaveOut(
  joined: JoinedText,
  base: string,
  { start, end }: Range,
  taken: readonly TakenOut[],
  nextStart: number | undefined,
): void {
  let from = start
  for (const one of taken) {
    joined.addSame(base.slice(from, one.start))
    joined.add('', one.byTheirs, one.byMine)
    from = one.end
    // Where neither alone joined two words, nor do both together. Of what touches, the next change thinks.
    const isByBoth = one.byMine > 0 && one.byTheirs > 0
    if (isByBoth && nextStart !== one.end)
      joined.setApart(separator(joined.text, base.slice(from, from + 2), base.slice(one.start, from)))
  }
  joined.addSame(base.slice(from, end))
}

interface Cluster extends Range {
  byMine: Hunk[]
  byTheirs: Hunk[]
}

/** Hunks of both sides in the order of the base, those that meet put together. */
function clusters(base: string, [mine, byMine]: Side, [theirs, byTheirs]: Side): Cluster[] {
  const all = [
    ...byMine.map((hunk) => ({ hunk, isMine: true })),
    ...byTheirs.map((hunk) => ({ hunk, isMine: false })),
  ].sort((a, b) => a.hunk.fromA - b.hunk.fromA || a.hunk.toA - b.hunk.toA)
  const found: Cluster[] = []
  for (const { hunk, isMine } of all) {
    let last = found.at(-1)
    const put = (isMine ? mine : theirs).slice(hunk.fromB, hunk.toB)
    if (!last || !(meets(last, hunk) || goesOnWithLine(base, last, hunk, put))) {
      found.push((last = { start: hunk.fromA, end: hunk.toA, byMine: [], byTheirs: [] }))
    }
    last.end = Math.max(last.end, hunk.toA)
    ;(isMine ? last.byMine : last.byTheirs).push(hunk)
  }
  return found
}

// Changes that merely touch don't meet, but two insertions at one place do: nobody can know their order.
function meets(cluster: Range, hunk: Hunk): boolean {
  if (hunk.fromA < cluster.end) return true
  return hunk.fromA === hunk.toA && cluster.start === cluster.end && hunk.fromA === cluster.end
}

/** Whether words go on with a line of which all was taken out. */
const goesOnWithLine = (base: string, taken: Range, { fromA, toA }: Hunk, put: string): boolean =>
  fromA === toA &&
  fromA === taken.end &&
  taken.start < taken.end &&
  (isAllOfLines(base, taken) || (taken.end === base.length && isOfLines(base, taken))) &&
  !put.startsWith('\n')

function rewritten(base: string, side: string, start: number, end: number, hunks: Hunk[]): string {
  let text = ''
  let at = start
  for (const { fromA, toA, fromB, toB } of hunks) {
    text += base.slice(at, fromA) + side.slice(fromB, toB)
    at = toA
  }
  return text + base.slice(at, end)
}
