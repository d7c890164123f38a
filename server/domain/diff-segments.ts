import type { Budget } from './budget.ts'
import { textDiff } from './diff/index.ts'
import { joinTouching, type Hunk } from './hunk.ts'
import { inToldLines } from './told-lines.ts'
import { ofWholeGraphemes } from './whole-graphemes.ts'

export interface Segment {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/**
 * The differences between two texts as a person would tell them: changed words that only white space separates
 * are one change, so that a reworded phrase reads as one removal and one addition; and of the asterisks around a
 * word, say, all are another or none.
 */
export function proseDiff(before: string, after: string, budget?: Budget): Hunk[] {
  const hunks: Hunk[] = []
  for (const hunk of withWholeMarks(before, after, textDiff(before, after, budget))) {
    const last = hunks.at(-1)
    const between = last && before.slice(last.toA, hunk.fromA)
    if (last && between!.trim() === '' && !between!.includes('\n')) {
      last.toA = hunk.toA
      last.toB = hunk.toB
    } else hunks.push({ ...hunk })
  }
  return hunks
}

/** The same as they are shown: no grapheme is cut, nor a line where a whole one may be told. */
export const toldDiff = (before: string, after: string, budget?: Budget): Hunk[] =>
  inToldLines(before, after, ofWholeGraphemes(before, after, proseDiff(before, after, budget)))

/**
 * What to show of a change, in order; no grapheme is cut. The same and the removed segments together are exactly `before`, the same and
 * the added ones exactly `after`.
 */
export function diffSegments(before: string, after: string): Segment[] {
  const segments: Segment[] = []
  const add = (kind: Segment['kind'], text: string) => {
    if (text) segments.push({ kind, text })
  }
  let at = 0
  for (const { fromA, toA, fromB, toB } of toldDiff(before, after)) {
    add('same', before.slice(at, fromA))
    add('removed', before.slice(fromA, toA))
    add('added', after.slice(fromB, toB))
    at = toA
  }
  add('same', before.slice(at))
  return segments
}

const isMark = (character: string | undefined) => character !== undefined && '*_~`#='.includes(character)

/** The same differences, none of which begins or ends within a run of one of markdown's signs. */
function withWholeMarks(before: string, after: string, hunks: readonly Hunk[]): Hunk[] {
  const whole: Hunk[] = []
  for (const [i, hunk] of hunks.entries()) {
    let { fromA, toA, fromB, toB } = hunk
    const first = before[fromA - 1]
    if (isMark(first) && (before[fromA] === first || after[fromB] === first)) {
      const least = whole.at(-1)?.toA ?? 0
      while (fromA > least && before[fromA - 1] === first) {
        fromA--
        fromB--
      }
    }
    const last = before[toA]
    if (isMark(last) && (before[toA - 1] === last || after[toB - 1] === last)) {
      const most = hunks[i + 1]?.fromA ?? before.length
      while (toA < most && before[toA] === last) {
        toA++
        toB++
      }
    }
    whole.push({ fromA, toA, fromB, toB })
  }
  return joinTouching(whole)
}
