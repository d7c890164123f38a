import { diffSegments, type Segment } from '../../server/domain/diff-segments.ts'
import { HeldFormulas } from '../editor/held-formulas.ts'
import { readAround } from '../editor/stray-marks.ts'
import { readWords } from './read-words.ts'

export interface DrawnChange {
  segments: Segment[]
  around: [string, string]
}

/**
 * How some words become others, as people read them: marks that only go with some words and come back with others are no
 * change. Formulas go and come whole, and are to be drawn (`partsOf`), as are those around.
 */
export function drawnChange(before: string, after: string, context: readonly [string, string]): DrawnChange {
  const held = new HeldFormulas()
  const { original, suggested } = readWords({
    original_text: held.hold(before),
    suggested_text: held.hold(after),
  })
  const segments = diffSegments(original, suggested).map(({ kind, text }) => ({
    kind,
    text: held.drawn(text),
  }))
  return { segments, around: drawnAround(context, held) }
}

/** What stands around words that stay, in the same way. */
export function drawnAround(
  [before, after]: readonly [string, string],
  held = new HeldFormulas(),
): [string, string] {
  const [head, tail] = readAround(inCells([held.hold(before), held.hold(after)]))
  return [held.drawn(head), held.drawn(tail)]
}

/** What stands around words in a table’s row, as its cells are read one after the other; all else as it is. */
function inCells([before, behind]: readonly [string, string]): readonly [string, string] {
  const isInRow = /(?:^|\s)\|\s[^|]*$/.test(before) && /^[^|]*\s\|(?:\s|$)/.test(behind)
  return isInRow ? [cellsBefore(before), cellsBehind(behind)] : [before, behind]
}
function cellsBefore(text: string): string {
  const cells = text.split('|').map((cell) => cell.trimStart())
  if (cells[0] === '') cells.shift()
  return cells.map((cell, i) => (i < cells.length - 1 ? cell.trimEnd() : cell)).join(' · ')
}
function cellsBehind(text: string): string {
  const cells = text.split('|').map((cell) => cell.trimEnd())
  if (cells.at(-1) === '') cells.pop()
  return cells.map((cell, i) => (i > 0 ? cell.trimStart() : cell)).join(' · ')
}
