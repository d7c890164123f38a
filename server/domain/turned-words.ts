import type { Anchor, Range } from '../contract/records/anchors.ts'
import { endsOf, isOfLines } from './anchors/lines-after-decisions.ts'
import type { ChangeMap } from './change-map.ts'
import type { Reopenable } from './reopenable.ts'

/** As many line ends as keep paragraphs apart. */
const mostTurned = '\r\n\r\n'.length

/**
 * By how much what was put in may be taken for put in further on, or before that, which gives the same text: “\n\nNew.”
 * between a paragraph and its line ends is “New.\n\n” behind these. So it is known again though a decision took the
 * first along.
 */
export function turnsOf(said: string): number[] {
  if (said.trim() === '') return [0]
  const upTo = (space: number) => Array.from({ length: Math.min(mostTurned, space) }, (_, i) => i + 1)
  const before = upTo(said.length - said.trimStart().length)
  const behind = upTo(said.length - said.trimEnd().length)
  return [0, ...before, ...behind.map((by) => -by)]
}

/** The same with its first letters behind it; or its last ones before it, by less than nothing. */
export const turnedBy = (said: string, by: number): string => said.slice(by) + said.slice(0, by)

/**
 * The edge of what a change took out around a place, and how words that had been taken out there are to be turned to
 * stand at that: it shares a line end with them. Null where it doesn’t, or what it took out isn’t known.
 */
export function edgeAround(
  at: number,
  words: string,
  { revision, map }: { revision: number; map: ChangeMap },
  decided: readonly TakenWhole[],
): { at: number; turned: number } | null {
  const hunk = map.hunks.find(({ fromA, toA }) => fromA < at && toA > at)
  if (!hunk || hunk.fromB < hunk.toB) return null
  const whole = ({ range, anchor }: TakenWhole) =>
    range?.start === hunk.fromA && range.end === hunk.toA && anchor?.exact.length === range.end - range.start
  const taken = decided.find((one) => one.revision === revision && whole(one))?.anchor?.exact
  if (taken === undefined) return null
  const [before, behind] = [taken.slice(0, at - hunk.fromA), taken.slice(at - hunk.fromA)]
  if (words.endsWith(before)) return { at: hunk.fromB, turned: -before.length }
  return words.startsWith(behind) ? { at: hunk.fromB, turned: behind.length } : null
}

interface TakenWhole {
  revision?: number | null
  range: Range | null
  anchor: Anchor | null
}

/** Lines, with line ends of theirs on their other side. */
export function turnedLines({ authors_text, suggested_text, lineEnds }: Reopenable, by: number) {
  const said = authors_text ?? suggested_text
  const put = by < 0 ? suggested_text.slice(by) : suggested_text.slice(0, by)
  const isSo = by < 0 ? said.endsWith(put) : said.startsWith(put)
  if (!isOfLines(said) || !isSo) return null
  return { suggested_text: turnedBy(said, by), lineEnds: lineEnds ?? endsOf(said) }
}
