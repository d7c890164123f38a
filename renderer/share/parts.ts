const perPart = 20

/** Groups blocks as the server does, so that only those near the window are laid out. */
export function intoParts(element: HTMLElement): void {
  const blocks = [...element.children].filter((child) => child.hasAttribute('data-b'))
  if (blocks.length < 2 * perPart) return
  for (let i = 0; i < blocks.length; i += perPart) {
    const part = document.createElement('section')
    part.className = 'part'
    blocks[i]!.before(part)
    part.append(...blocks.slice(i, i + perPart))
  }
}

/** The part that holds a node; null in a text without any. */
export const partOf = (node: Node): HTMLElement | null =>
  (node instanceof Element ? node : node.parentElement)?.closest('.part') ?? null

/**
 * Has the parts laid out that hold these nodes. Until they are, the browser takes their height for a guess and yet says
 * where their words would stand, which may be far beyond their end, among the words of others.
 */
export function layOut(...nodes: readonly Node[]): void {
  for (const node of nodes) {
    const part = partOf(node)
    if (part) part.style.contentVisibility = 'visible'
  }
}
