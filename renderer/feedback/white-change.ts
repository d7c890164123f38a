import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { breakChange, breakWords, type BreakChange } from '../../server/domain/break-change.ts'
import { commonEnds } from '../../server/domain/common-ends.ts'
import { lineSigns } from '../editor/read-line.ts'
import { readContext } from '../editor/stray-marks.ts'

/** What a suggestion does that changes nothing but where lines end, or white space. */
export interface WhiteChange {
  /** Such as “Split the paragraph”. */
  does: string
  /** The last words before; empty where there are none. */
  behind: string
}

/** Null where it changes words. */
export function whiteChange({
  original_text: before,
  suggested_text: after,
  anchor,
}: Pick<Suggestion, 'original_text' | 'suggested_text' | 'anchor'>): WhiteChange | null {
  const { head, tail } = commonEnds(before, after)
  const [start, end] = [
    (anchor?.prefix ?? '') + before.slice(0, head),
    before.slice(before.length - tail) + (anchor?.suffix ?? ''),
  ]
  const [was, will] = [before, after].map((text) => text.slice(head, text.length - tail))
  const does = doesOf(was!, will!, [start, end])
  if (does === null) return null
  const line = start.trimEnd().split('\n').at(-1)!.replace(lineSigns, '')
  return {
    does,
    behind: readContext(line)
      .split(/(?<=\s)(?=\S)/)
      .slice(-4)
      .join(''),
  }
}

const anyBreak = /(?<![ \t])[ \t]*\\?\r?\n(?:[ \t>]*\r?\n)*[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|$))?/g

/** What a suggestion does with one end of a line, besides changing words around it; null where that can’t be said. */
export function breakAmongWords({
  original_text: before,
  suggested_text: after,
  anchor,
}: Pick<Suggestion, 'original_text' | 'suggested_text' | 'anchor'>): string | null {
  if (before.includes('\n') === after.includes('\n')) return null
  const { head, tail } = commonEnds(before, after)
  const [start, end] = [
    (anchor?.prefix ?? '') + before.slice(0, head),
    before.slice(before.length - tail) + (anchor?.suffix ?? ''),
  ]
  // It must stand within a line.
  if (/(?:^|\n)[ \t>]*$/.test(start) || /^[ \t]*(?:\r?\n|$)/.test(end)) return null
  const [was, will] = [before, after].map(
    (text) => text.slice(head, text.length - tail).match(anyBreak) ?? [],
  )
  if (was!.length + will!.length !== 1) return null
  const ends = breakChange(was![0] ?? '', will![0] ?? '')
  return ends && breakWords(ends)
}

function doesOf(was: string, will: string, [start, end]: [string, string]): string | null {
  const ends = breakChange(was, will)
  if (ends) {
    const isBetween = /(?:^|\n)[ \t]*$/.test(start) || /^[ \t]*(?:\r?\n|$)/.test(end)
    return isBetween ? betweenLines(ends) : breakWords(ends)
  }
  if (was === will || (was + will).trim() !== '' || /\n/.test(was + will)) return null
  if (was === '') return 'Put in a space'
  return will === '' ? 'Take out a space' : 'Change the space'
}

function betweenLines({ does, what }: BreakChange): string {
  const whole = what === 'item' ? 'an empty item' : 'an empty line'
  return `${does === 'splits' ? 'Put in' : 'Take out'} ${whole}`
}
