import type { Range } from '../contract/records/anchors.ts'
import type { PlaceBefore } from './anchors/place-before.ts'
import type { ChangeMap } from './change-map.ts'

/** What a decision has put in, and where that stood before others. */
export interface PutIn {
  suggested_text?: string | undefined
  revision?: number | null
  /** Where it stood in the text that the decision left. */
  applied?: Range | null
  takenOut?: readonly PlaceBefore[] | undefined
}

/** Words that a decision took out, with where they stood before it. */
export interface Removed {
  words: string
  was: Range
  revision: number
  /** Where they stood before other decisions that touched them. */
  takenOut?: readonly PlaceBefore[] | undefined
}

/**
 * Where words belong that had been taken out, once others were put in at their place which are known to have stood before
 * or behind them. White space alone doesn’t stand before anything.
 * @param map what has put them in
 * @returns null where nothing is known of these
 */
export function placeAmongPut(
  at: number,
  removed: Removed,
  { revision, map }: { revision: number; map: ChangeMap },
  all: readonly PutIn[],
): number | null {
  const hunk = map.hunks.find(({ fromA, toA }) => fromA === at && toA === at)
  if (!hunk) return null
  const known = all.flatMap(({ revision: its, applied, takenOut = [] }) => {
    const isHere = its === revision && applied && applied.start >= hunk.fromB && applied.end <= hunk.toB
    const note = isHere && takenOut.find((one) => one.revision === removed.revision)
    return note ? [{ applied, isBefore: stoodBefore(note, removed) }] : []
  })
  if (known.length === 0) return null
  return Math.max(hunk.fromB, ...known.flatMap(({ applied, isBefore }) => (isBefore ? [applied.end] : [])))
}

/**
 * Where they belong once words come back within which they had begun: behind these. Null of
 * all else.
 */
export function behindReturned(
  at: number,
  { takenOut = [] }: Pick<Removed, 'takenOut'>,
  { map }: { map: ChangeMap },
  { steps, undone }: { steps: readonly { revision: number; map: ChangeMap }[]; undone: readonly number[] },
): number | null {
  const put = map.hunks.find(({ fromA, toA }) => fromA === at && toA === at)
  const isBehind = takenOut.some(({ revision, start, isBack }) => {
    const made = !isBack && undone.includes(revision) && steps.find((step) => step.revision === revision)
    return made && made.map.hunks.some(({ fromA, toA }) => fromA < start && start < toA)
  })
  return put && isBehind ? put.toB : null
}

function stoodBefore({ start }: PlaceBefore, { words, was }: Removed): boolean {
  return start <= was.start || (start < was.end && words.slice(0, start - was.start).trim() === '')
}
