import type { Range } from '../contract/records/anchors.ts'
import type { Side } from './carried-edits.ts'
import { textDiff } from './diff/index.ts'
import type { Hunk } from './hunk.ts'
import type { JoinedText } from './joined-text.ts'

/** What two sides put in at one place, which need not collide. */

/**
 * Who comes first of two who put something in at one place, if one of them only moved lines there: what the other wrote
 * goes on with the line beside the place, and stays next to it. Null where that isn’t so.
 */
export function firstBesideMoved(
  base: string,
  [[, byMine], [, byTheirs]]: readonly [Side, Side],
  mine: string,
  theirs: string,
): 'mine' | 'theirs' | null {
  const [isMine, isTheirs] = [isMoved(base, byMine, mine), isMoved(base, byTheirs, theirs)]
  if (isMine === isTheirs) return null
  const moved = isMine ? mine : theirs
  const isBehind = moved.startsWith('\n')
  if (isBehind === moved.endsWith('\n')) return null
  return isMine === isBehind ? 'theirs' : 'mine'
}

function isMoved(base: string, hunks: readonly Hunk[], lines: string): boolean {
  const words = lines.trim()
  const isOut = ({ fromA, toA }: Hunk) =>
    toA - fromA >= words.length && base.slice(fromA, toA).trim() === words
  return words !== '' && hunks.some(isOut)
}

/** Adds what both put in at one place, of which one has all that the other has. */
export function addOnce(joined: JoinedText, mine: string, theirs: string, differing: readonly Hunk[]): void {
  let kept = 0
  for (const { fromA, toA, fromB, toB } of differing) {
    joined.addAlike(mine.slice(kept, fromA))
    joined.add(mine.slice(fromA, toA), null, 0)
    joined.add(theirs.slice(fromB, toB), 0, null)
    kept = toA
  }
  joined.addAlike(mine.slice(kept))
}

/**
 * Where two texts differ that were put in at one place, as when a paragraph comes back from both sides, if one of them
 * has all that the other has; else null.
 */
export function whereOneHasAll(mine: string, theirs: string): Hunk[] | null {
  // What a comparison finds may be another the other way round.
  const isMineShort = mine.length <= theirs.length
  const [short, long] = isMineShort ? [mine, theirs] : [theirs, mine]
  const put = textDiff(short, long)
  const ranges = put.map(({ fromB, toB }) => ({ start: fromB, end: toB }))
  const hasAll = put.every(({ fromA, toA }) => fromA === toA) && isOfOnePiece(long, ranges)
  if (!hasAll) return null
  return isMineShort
    ? put
    : put.map(({ fromA, toA, fromB, toB }) => ({ fromA: fromB, toA: toB, fromB: fromA, toB: toA }))
}

/** Stretches this long stand in two texts by no chance. */
const TELLING = 16

/** Whether what is left of a text without some ranges is one stretch of it, or long ones: not letters from here and there. */
function isOfOnePiece(text: string, without: readonly Range[]): boolean {
  let at = 0
  const left = [...without, { start: text.length, end: text.length }].map(({ start, end }) => {
    const length = start - at
    at = end
    return length
  })
  const stretches = left.filter((length) => length > 0)
  return stretches.length <= 1 || stretches.every((length) => length >= TELLING)
}
