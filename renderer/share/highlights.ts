import type { Mark } from '../../server/contract/records.ts'
import type { Chosen, TextPane } from './text-pane.ts'

const names = ['comment', 'suggestion', 'active'] as const

/**
 * Draws marks in the text, and the passage that is being written about, without touching the text’s elements. A
 * browser that can’t do so shows the text alone.
 */
export function paintMarks(
  pane: TextPane,
  marks: readonly Mark[],
  active: string | null,
  chosen: Chosen | null,
  waiting: Iterable<Chosen> = [],
): void {
  if (!('highlights' in CSS)) return
  const ranges: Record<(typeof names)[number], Range[]> = { comment: [], suggestion: [], active: [] }
  for (const mark of marks) {
    const range = pane.rangeOf(mark)
    if (range) ranges[mark.id === active ? 'active' : mark.kind].push(range)
  }
  for (const place of waiting) {
    const range = pane.rangeOfChosen(place)
    if (range) ranges.comment.push(range)
  }
  const writtenAbout = chosen && pane.rangeOfChosen(chosen)
  if (writtenAbout) ranges.active.push(writtenAbout)
  for (const name of names) {
    const highlight = new Highlight(...ranges[name])
    highlight.priority = name === 'active' ? 2 : name === 'comment' ? 1 : 0
    CSS.highlights.set(name, highlight)
  }
}
