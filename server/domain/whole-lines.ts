import type { Range } from '../contract/records/anchors.ts'
import type { Hunk } from './hunk.ts'
import { lineFeedsIn, spaceBefore, spaceBehind } from './white-space.ts'

/**
 * The same changes, of which one that only took out lines with the line end before them took the one behind them instead,
 * which leaves the same text: so what is put in at the end of the last of these lines was put in within them.
 */
export function inWholeLines(base: string, hunks: readonly Hunk[]): Hunk[] {
  return hunks.map((hunk, i) => {
    const { fromA, toA, fromB, toB } = hunk
    if (fromB < toB) return hunk
    const next = hunks[i + 1]
    const end = next ? next.fromA - 1 : base.length
    let by = 0
    while (toA + by < end && base[fromA + by] === '\n' && base[toA + by] === '\n') by++
    const moved = { fromA: fromA + by, toA: toA + by, fromB: fromB + by, toB: toB + by }
    return by > 0 && isOfLines(base, { start: moved.fromA, end: moved.toA }) ? moved : hunk
  })
}

/** Whether a passage is of whole lines, of which the last in a text may have its line end before it. */
export const isOfLines = (base: string, { start, end }: Range): boolean =>
  end === base.length
    ? beginsLine(base, start) || base[start] === '\n'
    : beginsLine(base, start) && base[end - 1] === '\n'

/** Whether a passage is all that stands in a line, or in several. */
export const isAllOfLines = (base: string, { start, end }: Range): boolean =>
  beginsLine(base, start) && (end === base.length || base[end] === '\n')

export const beginsLine = (text: string, at: number): boolean => at === 0 || text[at - 1] === '\n'

/**
 * What has to stand between what was put in the place of some lines and what else is there, so that either has lines of
 * its own: paragraphs, where the passage was of several. Null where the passage isn’t of several whole lines.
 */
export function lineGap(base: string, { start, end }: Range, put: string, others: string): string | null {
  const passage = base.slice(start, end)
  const endsLine = end === base.length || base[end - 1] === '\n' || /^\r?\n/.test(base.slice(end, end + 2))
  if (!beginsLine(base, start) || !endsLine || !passage.includes('\n')) return null
  if (put.trim() === '' || others.trim() === '') return ''
  const wanted = /\n[^\S\n]*\n/.test(passage.trim()) ? 2 : 1
  const between = lineFeedsIn(spaceBehind(put)) + lineFeedsIn(spaceBefore(others))
  const lineEnd = passage.includes('\r\n') ? '\r\n' : '\n'
  return lineEnd.repeat(Math.max(0, wanted - between))
}
