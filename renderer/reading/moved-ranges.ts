interface Ends {
  from: [Node, number]
  to: [Node, number]
}

/** Of the ranges that somebody knows those that may begin or end in what is moved. */
interface Known {
  all: { has(range: Range): boolean }
  near: Iterable<Range>
}

/**
 * Moves nodes of a page without losing where ranges begin and end in them, of which a browser says that they end where the
 * nodes were: those that are known, those that are highlighted, and what is selected.
 */
export function keepRanges(page: Document, known: Known, nodes: readonly Node[], move: () => void) {
  // There may be thousands of ranges, each of which takes long to ask, and most of what is moved are texts.
  const moved = new Set(nodes)
  const around = nodes.filter((node) => node.hasChildNodes())
  const isMoved = (container: Node) => moved.has(container) || around.some((node) => node.contains(container))
  const kept = new Map<Range, Ends>()
  const keep = (range: Range) => {
    const { startContainer, startOffset, endContainer, endOffset } = range
    if (isMoved(startContainer) || isMoved(endContainer))
      kept.set(range, { from: [startContainer, startOffset], to: [endContainer, endOffset] })
  }
  for (const range of known.near) keep(range)
  for (const range of highlighted(page)) if (!known.all.has(range)) keep(range)
  const selection = page.getSelection()
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = selection ?? {}
  move()
  for (const [range, { from, to }] of kept) {
    range.setStart(...from)
    range.setEnd(...to)
  }
  if (anchorNode && focusNode && (isMoved(anchorNode) || isMoved(focusNode)))
    selection?.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset)
}

function* highlighted({ defaultView: view }: Document): Generator<Range> {
  if (!view || !('highlights' in view.CSS)) return
  for (const highlight of view.CSS.highlights.values())
    for (const range of highlight) if (range instanceof view.Range) yield range
}
