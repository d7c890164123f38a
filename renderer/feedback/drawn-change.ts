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
  const [head, tail] = readAround([held.hold(before), held.hold(after)])
  return [held.drawn(head), held.drawn(tail)]
}
