import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Chosen, TextPane } from './text-pane.ts'

type Kind = Mark['kind']

/** Words that something is being written about, or that something waiting for delivery is about. */
export interface WrittenAbout {
  kind: Kind
  chosen: Chosen
}

/** What is drawn later stands above. `active` has no look of its own: it says what is looked at, whichever kind it is. */
const names = ['suggestion', 'comment', 'active', 'active-comment', 'active-suggestion'] as const

/**
 * Draws marks in the text, and the passage that is being written about, without touching the text’s elements. A
 * browser that can’t do so shows the text alone.
 */
export function paintMarks(
  pane: TextPane,
  marks: readonly Mark[],
  active: string | null,
  writtenAbout: WrittenAbout | null,
  waiting: readonly WrittenAbout[] = [],
): void {
  if (!('highlights' in CSS)) return
  const ranges = Object.fromEntries(names.map((name) => [name, [] as Range[]])) as Record<
    (typeof names)[number],
    Range[]
  >
  const activate = (range: Range, kind: Kind) => {
    ranges.active.push(range)
    ranges[`active-${kind}`].push(range)
  }
  for (const mark of marks) {
    const range = pane.rangeOf(mark)
    if (!range) continue
    if (mark.id === active) activate(range, mark.kind)
    else ranges[mark.kind].push(range)
  }
  for (const { kind, chosen } of waiting) {
    const range = pane.rangeOfChosen(chosen)
    if (range) ranges[kind].push(range)
  }
  const standing = writtenAbout && pane.standing(writtenAbout.chosen)
  const range = standing && pane.rangeOf(standing)
  if (range) activate(range, writtenAbout.kind)
  for (const [priority, name] of names.entries()) {
    const highlight = new Highlight(...ranges[name])
    highlight.priority = priority
    CSS.highlights.set(name, highlight)
  }
}
