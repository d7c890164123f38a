import { isText, textNodes } from './points.ts'
import { outermost, takenClass } from './put-beside.ts'
import type { RenderedText } from './rendered-text.ts'

/** What is taken out as a whole where anything of it is. */
const closed = '.maths, .img, svg'

/**
 * Says of words that a suggestion takes them out, to who can’t see that they are struck: a highlight is nothing but
 * looks. The words stay what they are. It is no `<del>`, since who copies them doesn’t copy that.
 */
export function markTaken(pane: RenderedText, ranges: readonly Range[], id: string, by: string): void {
  const page = pane.element.ownerDocument
  const parts = [...new Set(ranges.flatMap(partsOf))].map((node) => {
    const element = page.createElement('span')
    element.className = takenClass
    element.dataset.takenBy = id
    element.setAttribute('role', 'deletion')
    // A deletion may not have a name of its own.
    element.setAttribute('aria-description', by)
    element.title = by
    return { node, element }
  })
  pane.move(
    parts.map(({ node }) => node),
    () => {
      for (const { node, element } of parts) {
        node.before(element)
        element.append(node)
      }
    },
  )
}

export function unmarkTaken(pane: RenderedText, id: string): void {
  // They may be more by now: what others put among the words parts them.
  const elements = [...pane.element.querySelectorAll(`[data-taken-by="${CSS.escape(id)}"]`)]
  const parents = elements.map(({ parentNode }) => parentNode)
  pane.move(
    elements.flatMap(({ childNodes }) => [...childNodes]),
    () => {
      for (const element of elements) element.replaceWith(...element.childNodes)
    },
  )
  for (const parent of parents) parent?.normalize()
}

/** The texts of a range, cut off at its ends, or what is taken out as a whole with them. */
function partsOf(range: Range): ChildNode[] {
  const { startContainer, startOffset, endContainer, endOffset, commonAncestorContainer: root } = range
  const stretches = (isText(root) ? [root] : [...textNodes(root)])
    .filter((node) => range.intersectsNode(node))
    .map((node) => ({
      node,
      from: node === startContainer ? startOffset : 0,
      to: node === endContainer ? endOffset : node.data.length,
    }))
    .filter(({ node, from, to }) => node.data.slice(from, to).trim() !== '')
  return stretches.map(({ node, from, to }) => {
    const whole = outermost(node.parentElement, closed)
    if (whole) return whole
    if (to < node.data.length) node.splitText(to)
    return from > 0 ? node.splitText(from) : node
  })
}
