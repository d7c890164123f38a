interface Walk {
  /** Goes to the item after or before `from`, the one that has the focus; answers the id of the one now looked at. */
  step: (by: 1 | -1, from: string | undefined) => string | null
  activate: (id: string) => void
  /** What Enter does on an item. */
  enter?: (id: string) => void
  /** What Escape does on an item. */
  leave?: () => void
}

/** Which of the items shown comes `by` places after `from`; from none, the first or the last. */
export function itemAfter<Item extends { id: string }>(
  shown: readonly Item[],
  from: string | null,
  by: 1 | -1,
): Item | undefined {
  const at = shown.findIndex(({ id }) => id === from)
  const next = at < 0 ? (by > 0 ? 0 : shown.length - 1) : at + by
  return shown[Math.min(Math.max(next, 0), shown.length - 1)]
}

/** The element that stands for an item of a walkable list. */
export function itemElement(list: ParentNode | null | undefined, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`) ?? null
}

/**
 * An attachment for a list whose items carry `data-item`: j, k and the arrow keys go from item to item, Enter acts on
 * one, a press or a focus inside one makes it the one looked at. Keys typed into fields and buttons stay theirs.
 */
export function walkable({ step, activate, enter, leave }: Walk) {
  return (list: HTMLElement): (() => void) => {
    const itemOf = (target: EventTarget | null) =>
      target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null

    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (target.closest('input, textarea, select, [contenteditable]')) return
      const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined
      if (by) {
        event.preventDefault()
        const id = step(by, itemOf(target)?.dataset.item)
        if (id !== null) itemElement(list, id)?.focus()
      } else if (event.key === 'Enter' && target.dataset.item) {
        event.preventDefault()
        enter?.(target.dataset.item)
      } else if (event.key === 'Escape' && leave && itemOf(target)) {
        event.stopPropagation()
        leave()
      }
    }
    const onPress = (event: MouseEvent) => {
      // Selecting a comment's words, or pressing one of its buttons, is no wish to go to its place.
      if (!getSelection()?.isCollapsed || (event.target as Element).closest('button, a, form')) return
      const item = itemOf(event.target)
      if (item) activate(item.dataset.item!)
    }

    list.addEventListener('keydown', onKey)
    list.addEventListener('click', onPress)
    return () => {
      list.removeEventListener('keydown', onKey)
      list.removeEventListener('click', onPress)
    }
  }
}
