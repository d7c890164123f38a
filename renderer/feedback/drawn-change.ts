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
  return isInRow ? [cellsOf(before, 'before'), cellsOf(behind, 'behind')] : [before, behind]
}
/** Of a part of a row, without its edge and with its cells parted; what stands right at the words keeps its space. */
function cellsOf(text: string, side: 'before' | 'behind'): string {
  const cells = text.split('|')
  const [edge, beside] = side === 'before' ? [0, cells.length - 1] : [cells.length - 1, 0]
  const read = cells.map((cell, i) =>
    i !== beside ? cell.trim() : side === 'before' ? cell.trimStart() : cell.trimEnd(),
  )
  if (read[edge] === '') read.splice(edge, 1)
  return read.join(' · ')
}
