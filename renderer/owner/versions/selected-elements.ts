/** Those elements of a region, of all that a selector finds, in which something is selected; none where nothing is. */
export function selectedElements(region: HTMLElement | undefined, selector: string): HTMLElement[] {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || !region?.contains(selection.anchorNode)) return []
  return [...region.querySelectorAll<HTMLElement>(selector)].filter((one) =>
    selection.containsNode(one, true),
  )
}
