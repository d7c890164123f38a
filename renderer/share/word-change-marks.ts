import type { ShownWordChange } from '../../server/contract/records/changes.ts'
import type { TextPane } from './text-pane.ts'
import type { Passage } from './points.ts'

/** A change that shows on the page. */
export type PlacedChange = Omit<ShownWordChange, 'from' | 'to'> & Passage & { hasAdded: boolean }

const className = 'taken-out'
/** What can’t have anything put into it: it stands beside all of it then. */
const closed = 'a, button, summary, pre, .maths, .img, svg'
/** What holds lines of words. */
const holder = 'p, h1, h2, h3, h4, h5, h6, li, dt, dd, td, th, summary, pre, [data-b]'
/** Those that are left as they are where whole lines were taken out beside them. */
const left = 'p, h1, h2, h3, h4, h5, h6'

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
      put(takenOut(change.removed, i === active), range, change.removed_stands, change.removed)
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

/** Whether these were lines of their own, such as a paragraph, rather than words within one. */
const areLines = (removed: string) =>
  /^\s*\n/.test(removed) || (/\n\s*$/.test(removed) && !/^\s/.test(removed))

/** What holds the words of a range, where they begin it or, for `behind`, end it. */
function holderAtEdge(range: Range, side: 'before' | 'behind'): Element | null {
  const found = elementAt(range, side)?.closest(holder)
  if (!found) return null
  const rest = range.cloneRange()
  rest.selectNodeContents(found)
  if (side === 'before') rest.setEnd(range.startContainer, range.startOffset)
  else rest.setStart(range.endContainer, range.endOffset)
  return rest.toString().trim() === '' ? found : null
}

function elementAt(range: Range, side: 'before' | 'behind'): Element | null {
  const container = side === 'before' ? range.startContainer : range.endContainer
  return container instanceof Element ? container : container.parentElement
}

function put(note: HTMLElement, range: Range, side: 'before' | 'behind', removed: string): void {
  const beside = areLines(removed) ? holderAtEdge(range, side) : null
  note.classList.toggle('lines', beside !== null)
  // A heading, say, doesn’t lend its looks to what stood under it.
  if (beside?.matches(left)) return side === 'before' ? beside.before(note) : beside.after(note)
  const element = elementAt(range, side)
  let whole = element?.closest(closed)
  for (let outer = whole?.parentElement?.closest(closed); outer; outer = outer.parentElement?.closest(closed))
    whole = outer
  if (whole) return side === 'before' ? whole.before(note) : whole.after(note)
  const place = range.cloneRange()
  place.collapse(side === 'before')
  place.insertNode(note)
  // What was put in doesn't begin with what was taken out.
  if (side === 'before' && range.startContainer !== note.nextSibling) keepBehind(note, range)
}

/** A range that began in the text before the note begins behind it. */
function keepBehind(note: Node, range: Range): void {
  if (range.comparePoint(note, 0) >= 0) range.setStartAfter(note)
}
