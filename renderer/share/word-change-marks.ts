import type { ShownWordChange } from '../../server/contract/records/changes.ts'
import type { TextPane } from './text-pane.ts'
import type { Passage } from '../reading/points.ts'
import { putBeside } from '../reading/put-beside.ts'

/** A change that shows on the page. */
export type PlacedChange = Omit<ShownWordChange, 'from' | 'to'> & Passage & { hasAdded: boolean }

const className = 'taken-out'
/** What can’t have anything put into it: it stands beside all of it then. */
const closed = 'a, button, summary, .maths, .img, svg'

/**
 * Draws what was put in, and what was taken out beside it. The words that are gone are drawn only and aren’t part of the
 * page’s text, so that its words stay what they are: for finding, copying and choosing them.
 */
export function paintChanges(pane: TextPane, changes: readonly PlacedChange[], active: number): void {
  unpaintChanges(pane)
  const added: Range[] = []
  const now: Range[] = []
  for (const [i, change] of changes.entries()) {
    const range = pane.rangeOf(change)
    if (!range) continue
    if (change.hasAdded) (i === active ? now : added).push(range)
    if (change.removed.trim() !== '')
      putBeside(pane, takenOut(change.removed, i === active), range, {
        side: change.removed_stands,
        words: change.removed,
        closed,
      })
  }
  if (!('highlights' in CSS)) return
  for (const [name, ranges] of [
    ['added', added],
    ['added-now', now],
  ] as const) {
    const highlight = new Highlight(...ranges)
    // What is said of the words stands above.
    highlight.priority = -1
    CSS.highlights.set(name, highlight)
  }
}

export function unpaintChanges(pane: TextPane): void {
  for (const element of pane.element.querySelectorAll(`.${className}`)) {
    const parent = element.parentNode
    element.remove()
    parent?.normalize()
  }
  if (!('highlights' in CSS)) return
  CSS.highlights.delete('added')
  CSS.highlights.delete('added-now')
}

function takenOut(words: string, isActive: boolean): HTMLElement {
  const element = document.createElement('span')
  element.className = className
  element.classList.toggle('now', isActive)
  element.dataset.words = words.trim()
  element.setAttribute('role', 'note')
  element.setAttribute('aria-label', `Removed: ${words.trim()}`)
  return element
}
