import { isElement } from './points.ts'

/** What holds lines of words. */
const holder = 'p, h1, h2, h3, h4, h5, h6, li, dt, dd, td, th, summary, pre, [data-b]'
/** Those that are left as they are where whole lines are shown beside them. */
const left = 'p, h1, h2, h3, h4, h5, h6'

interface Beside {
  side: 'before' | 'behind'
  /** What is shown there, which isn’t in the text. */
  words: string
  /** What can’t have anything put into it: it stands beside all of it then. */
  closed: string
}

/** Whether these are lines of their own, such as a paragraph, rather than words within one. */
export const areLines = (words: string) =>
  /^\s*\n/.test(words) || (/\n\s*$/.test(words) && !/^\s/.test(words))

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
  return isElement(container) ? container : container.parentElement
}

/** The outermost of those that a selector takes and that an element is, or is in. */
export function outermost(element: Element | null, selector: string): Element | null {
  let found: Element | null = null
  for (let at = element?.closest(selector); at; at = at.parentElement?.closest(selector)) found = at
  return found
}

/** Puts an element without text beside the words of a range: on lines of its own where it shows such. */
export function putBeside(element: HTMLElement, range: Range, { side, words, closed }: Beside): void {
  const beside = areLines(words) ? holderAtEdge(range, side) : null
  element.classList.toggle('lines', beside !== null)
  // A heading, say, doesn’t lend its looks to what stands under it.
  if (beside?.matches(left)) return side === 'before' ? beside.before(element) : beside.after(element)
  const whole = outermost(elementAt(range, side), closed)
  if (whole) return side === 'before' ? whole.before(element) : whole.after(element)
  const place = range.cloneRange()
  place.collapse(side === 'before')
  place.insertNode(element)
  // The words don’t begin with what is put before them.
  if (side === 'before' && range.startContainer !== element.nextSibling) keepBehind(element, range)
}

/** A range that began in the text before the element begins behind it. */
function keepBehind(element: Node, range: Range): void {
  if (range.comparePoint(element, 0) >= 0) range.setStartAfter(element)
}
