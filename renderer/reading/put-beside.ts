import { lineFeedsIn, spaceBehind } from '../../server/domain/white-space.ts'
import { isElement, isText } from './points.ts'
import type { RenderedText } from './rendered-text.ts'

/** What says of words that they are taken out; nothing that is put beside them is one of them. */
export const takenClass = 'taken'
const takenSelector = `.${takenClass}`

/** What holds lines of words. */
export const holder = 'p, h1, h2, h3, h4, h5, h6, li, dt, dd, td, th, summary, pre, [data-b]'
/** Those that are left as they are where whole lines are shown beside them. */
const left = 'p, h1, h2, h3, h4, h5, h6'

interface Beside {
  side: 'before' | 'behind'
  /** What is shown there, which isn’t in the text. */
  words: string
  /** What can’t have anything put into it: it stands beside all of it then. */
  closed: string
  /** Outside of which elements it stands that begin or end there, as a selector; never of what holds its line. */
  outside?: string
  /** Behind which of those that are there already it stands, as a selector. */
  after?: string
}

/** Whether these are lines of their own, such as a paragraph, rather than words within one. */
export const areLines = (words: string) =>
  /^\s*\n/.test(words) || (linesEnded(words) > 0 && !/^\s/.test(words))

/** How many lines end in the white space at the end of a text. */
export const linesEnded = (words: string) => lineFeedsIn(spaceBehind(words))

/** What holds the line of words that a range begins or, for `behind`, ends in. */
export const holderOf = (range: Range, side: 'before' | 'behind'): Element | null =>
  elementAt(range, side)?.closest(holder) ?? null

/** The same, where the words begin it or end it. */
export function holderAtEdge(range: Range, side: 'before' | 'behind'): Element | null {
  const found = holderOf(range, side)
  if (!found) return null
  const rest = range.cloneRange()
  rest.selectNodeContents(found)
  if (side === 'before') rest.setEnd(range.startContainer, range.startOffset)
  else rest.setStart(range.endContainer, range.endOffset)
  // The way back from a footnote is none of its words.
  const isEnd = rest.toString().trim().replace(backFromNote, '') === ''
  return isEnd ? found : null
}
const backFromNote = /^(?:↩\d*\s*)+$/u

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
export function putBeside(
  pane: RenderedText,
  element: HTMLElement,
  range: Range,
  { side, words, closed, outside = '', after = '' }: Beside,
): void {
  const beside = areLines(words) ? holderAtEdge(range, side) : null
  element.classList.toggle('lines', beside !== null)
  const whole = outermost(elementAt(range, side), closed)
  // A heading, say, doesn’t lend its looks to what stands under it.
  let node: ChildNode = beside?.matches(left)
    ? beside
    : outOf(whole ?? nodeAtEdge(range, side), side, outside)
  while (node.parentElement?.matches(takenSelector)) node = partTaken(pane, node, side)
  if (side === 'before') node.before(element)
  else {
    for (
      let next = node.nextSibling;
      after && next && isElement(next) && next.matches(after);
      next = next.nextSibling
    )
      node = next
    node.after(element)
  }
  // The words don’t begin with what is put before them.
  if (side === 'before' && range.startContainer !== element.nextSibling) keepBehind(element, range)
}

/** The text that begins or ends where the range does; what else stands in the same text is parted from it. */
function nodeAtEdge(range: Range, side: 'before' | 'behind'): ChildNode {
  const [container, offset] =
    side === 'before' ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset]
  if (!isText(container))
    return (container.childNodes[side === 'before' ? offset : offset - 1] ?? container) as ChildNode
  if (side === 'before') return offset > 0 ? container.splitText(offset) : container
  if (offset < container.data.length) container.splitText(offset)
  return container
}

/** The outermost that begins or ends with a node, of what says that it is taken out and, within its line, of those `outside` of which it is to be. */
function outOf(node: ChildNode, side: 'before' | 'behind', outside: string): ChildNode {
  for (let parent = node.parentElement; parent; parent = node.parentElement) {
    const isLeft =
      parent.matches(takenSelector) || (outside !== '' && parent.matches(outside) && !parent.matches(holder))
    if (!isLeft || beyond(node, side).some(({ textContent }) => textContent?.trim())) return node
    node = parent
  }
  return node
}

/** What stands beside a node on one side, in the same element. */
export function beyond(node: ChildNode, side: 'before' | 'behind'): ChildNode[] {
  const all = [...node.parentNode!.childNodes]
  const at = all.indexOf(node)
  return side === 'before' ? all.slice(0, at) : all.slice(at + 1)
}

/** Of words that are taken out those behind the place that a node begins or ends are in an element of their own then. */
function partTaken(pane: RenderedText, node: ChildNode, side: 'before' | 'behind'): ChildNode {
  const taken = node.parentElement!
  const rest = taken.cloneNode() as HTMLElement
  const moved = side === 'before' ? [node, ...beyond(node, 'behind')] : beyond(node, 'behind')
  taken.after(rest)
  pane.move(moved, () => rest.append(...moved))
  return outOf(side === 'before' ? rest : taken, side, '')
}

/** A range that began in the text before the element begins behind it. */
function keepBehind(element: Node, range: Range): void {
  if (range.comparePoint(element, 0) >= 0) range.setStartAfter(element)
}
