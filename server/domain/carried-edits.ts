import type { Range } from '../contract/records/anchors.ts'
import type { Hunk } from './hunk.ts'

/** A text, and what made it of another one. */
export type Side = readonly [text: string, hunks: readonly Hunk[]]

/** What one side did within a passage that the other moved as it was, and where that passage is now on the other side. */
export interface Carried {
  hunk: Hunk
  /** In the other side’s text. */
  at: Range
}

/** A passage this long stands in two places by no chance. */
const TELLING = 16
/** So many characters are looked through for moved passages at most. */
const mostWork = 20_000_000

/**
 * What `side` did within passages that the other took out in one place and put in, to the letter, in one other: as when a
 * list item is moved with all that is under it.
 */
export function carriedBy(base: string, side: Side, other: Side): Carried[] {
  const [text, hunks] = other
  const met = hunks.filter((one) => side[1].some((hunk) => isWithin(hunk, one)))
  const put = hunks.filter(({ fromB, toB }) => fromB < toB)
  const work = put.reduce((sum, { fromB, toB }) => sum + toB - fromB, 0) * met.length
  if (work > mostWork) return []
  return met.flatMap((removed) => {
    const from = trimmed(base, { start: removed.fromA, end: removed.toA })
    const passage = base.slice(from.start, from.end)
    const to =
      passage.length < TELLING
        ? onlyLine(text, put, base.slice(removed.fromA, removed.toA))
        : onlyPlace(text, put, passage)
    const isElsewhere = to !== null && (to > removed.toB || to + passage.length <= removed.fromB)
    // A passage that was taken out twice may be either.
    const isAlone = hunks.every((one) => one === removed || !base.slice(one.fromA, one.toA).includes(passage))
    if (!isElsewhere || !isAlone) return []
    return side[1]
      .filter((hunk) => isWithin(hunk, removed) && hunk.fromA > from.start && hunk.toA <= from.end)
      .map((hunk) => ({
        hunk,
        at: { start: to + hunk.fromA - from.start, end: to + hunk.toA - from.start },
      }))
  })
}

const isWithin = (hunk: Hunk, { fromA, toA }: Hunk) =>
  hunk.fromA > fromA && hunk.toA <= toA && hunk.fromA < toA

/** Where a passage stands in what was put in, if it does in one place alone. */
function onlyPlace(text: string, put: readonly Hunk[], passage: string): number | null {
  const found: number[] = []
  for (const { fromB, toB } of put) {
    const words = text.slice(fromB, toB)
    for (let at = words.indexOf(passage); at >= 0 && found.length < 2; at = words.indexOf(passage, at + 1))
      found.push(fromB + at)
  }
  return found.length === 1 ? found[0]! : null
}

/** Where lines that were taken out are all that was put in, in one place alone: then they may be short. */
function onlyLine(text: string, put: readonly Hunk[], lines: string): number | null {
  if (!lines.includes('\n') || lines.trim() === '') return null
  const found = put.flatMap(({ fromB, toB }) => {
    const words = text.slice(fromB, toB)
    const isMoved = words.includes('\n') && words.trim() === lines.trim()
    return isMoved ? [fromB + words.indexOf(lines.trim())] : []
  })
  return found.length === 1 ? found[0]! : null
}

function trimmed(text: string, { start, end }: Range): Range {
  const part = text.slice(start, end)
  return { start: start + part.length - part.trimStart().length, end: start + part.trimEnd().length }
}
