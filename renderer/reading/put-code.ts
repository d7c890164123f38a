import { textNodes } from './points.ts'

/** Lines of code as they are put in, each as far in as it is written. */
export const codeLines = (insert: string): string => insert.replace(/^[ \t]*\r?\n|\r?\n[ \t]*$/g, '')

/** Puts lines beside the line of code that a range begins or ends in. */
export function putCodeLines(
  pre: Element,
  element: HTMLElement,
  range: Range,
  side: 'before' | 'behind',
): void {
  element.classList.add('lines')
  const rest = pre.ownerDocument.createRange()
  rest.selectNodeContents(pre)
  if (side === 'before') {
    rest.setEnd(range.startContainer, range.startOffset)
    const text = rest.toString()
    return insertAt(pre, element, text.lastIndexOf('\n') + 1)
  }
  rest.setEnd(range.endContainer, range.endOffset)
  const before = rest.toString()
  const end = (pre.textContent ?? '').indexOf('\n', before.length)
  // Behind the end of its line, which would else be one more.
  insertAt(pre, element, end < 0 ? (pre.textContent ?? '').length : end + 1, true)
}

function insertAt(pre: Element, element: HTMLElement, at: number, isBehind = false): void {
  let seen = 0
  for (const node of textNodes(pre)) {
    const within = at - seen
    seen += node.data.length
    if (isBehind ? within > node.data.length : within >= node.data.length) continue
    if (within > 0 && within < node.data.length) node.splitText(within)
    if (!isBehind) {
      const place = within > 0 ? node.nextSibling! : node
      return void place.parentNode!.insertBefore(element, place)
    }
    let last: ChildNode = node
    // In the order in which they came.
    while (
      last.nextSibling instanceof last.ownerDocument!.defaultView!.HTMLElement &&
      last.nextSibling.matches('.put-in')
    )
      last = last.nextSibling
    return last.after(element)
  }
}
