import type { ShownWordChange } from '../../server/contract/records/changes.ts'
import type { TextPane } from './text-pane.ts'
import type { Passage } from '../reading/points.ts'
import { linesEnded, putBeside } from '../reading/put-beside.ts'

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
    if (change.hasAdded && !change.is_address) (i === active ? now : added).push(range)
    if (change.removed.trim() === '') continue
    const element = takenOut(change, i === active)
    const side = change.is_address ? 'behind' : change.removed_stands
    if (!putBetween(pane, element, range, change))
      putBeside(pane, element, range, { side, words: change.removed, closed })
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

/** Puts blocks that were taken out between those that are there, and not into one of them; false where they stood in one. */
function putBetween(
  pane: TextPane,
  element: HTMLElement,
  range: Range,
  { start, removed }: PlacedChange,
): boolean {
  const next = linesEnded(removed) > 1 && pane.element.querySelector(`[data-b="${start}"]`)
  const last = !next && /^\s*\n/.test(removed) && pane.blockAround(start)?.end === null && endedBy(range)
  if (!next && !last) return false
  element.classList.add('lines')
  if (next) next.prepend(element)
  else if (last) last.append(element)
  return true
}

/** The block that ends with a range; null for one of code, of which the range may be a line before others that have gone. */
function endedBy(range: Range): Element | null {
  const block = range.endContainer.parentElement!.closest('[data-b]')!
  const rest = range.cloneRange()
  rest.setStart(range.endContainer, range.endOffset)
  rest.setEnd(block, block.childNodes.length)
  return block.querySelector('pre') || rest.toString().trim() !== '' ? null : block
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

function takenOut({ removed, is_address }: PlacedChange, isActive: boolean): HTMLElement {
  const words = removed.trim()
  const element = document.createElement('span')
  element.className = className
  element.classList.toggle('now', isActive)
  // A link’s words are what they were: the arrow tells where they led.
  element.dataset.words = is_address ? `→ ${words}` : words
  element.setAttribute('role', 'note')
  element.setAttribute('aria-label', `${is_address ? 'Led to' : 'Removed'}: ${words}`)
  return element
}
