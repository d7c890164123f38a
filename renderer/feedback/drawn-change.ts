import { diffSegments } from '../../server/domain/diff-segments.ts'
import { HeldFormulas } from '../editor/held-formulas.ts'
import { readAround } from '../editor/stray-marks.ts'
import { lookedChange, type FormatChange, type LookedSegment } from './looked-words.ts'
import { readWords } from './read-words.ts'

export interface DrawnChange {
  segments: LookedSegment[]
  /** What becomes of the look of words that stay, and where links lead that come. */
  formats: FormatChange[]
  around: [string, string]
}

/**
 * How some words become others, as they will look; where nothing of that is to be seen, as they are written. Marks that only go with some
 * words and come back with others are no change. Formulas go and come whole, and are to be drawn (`partsOf`), as are those around.
 */
export function drawnChange(before: string, after: string, context: readonly [string, string]): DrawnChange {
  const held = new HeldFormulas()
  const [was, will] = [held.hold(before), held.hold(after)]
  const found = lookedChange(was, will, [held.hold(context[0]), held.hold(context[1])]) ?? written(was, will)
  return {
    segments: found.segments.map((one) => ({ ...one, text: held.drawn(one.text) })),
    formats: found.formats.map(({ does, words }) => ({ does, words: held.drawn(words) })),
    around: drawnAround(context, held),
  }
}

function written(before: string, after: string): Pick<DrawnChange, 'segments' | 'formats'> {
  const { original, suggested } = readWords({ original_text: before, suggested_text: after })
  return { segments: diffSegments(original, suggested), formats: [] }
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
