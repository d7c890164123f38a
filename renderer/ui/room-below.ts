/** What of an element’s room is yet to go with scrolling. */
const leftRoom = new WeakMap<HTMLElement, () => void>()

/**
 * Gives what is scrolled more room at its end while something covers its foot, so that its last words, too, can stand
 * above that: `property` of an element says how much. Returns what takes the room away; of that as much stays as what is
 * in view then needs, until it is scrolled back, so that nothing jumps.
 */
export function roomBelow(
  element: HTMLElement,
  property: string,
  { scroller, usual, room }: { scroller: Element; usual: number; room: number },
): () => void {
  leftRoom.get(element)?.()
  const give = (height: number) => element.style.setProperty(property, `${Math.max(usual, height)}px`)
  let given = Math.max(usual, room)
  give(given)
  // That of a whole page is told of by its document, in whatever window it is.
  const { ownerDocument: page } = scroller
  const target = scroller === page.documentElement ? page : scroller
  let timer: ReturnType<typeof setTimeout> | undefined
  const shrink = () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller
    const spare = scrollHeight - clientHeight - scrollTop
    if (spare <= 0 && given > usual) return
    given = Math.max(usual, given - Math.floor(spare))
    if (given > usual) return give(given)
    stopShrinking()
    element.style.removeProperty(property)
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(shrink, 150)
  }
  const stopShrinking = () => {
    clearTimeout(timer)
    target.removeEventListener('scroll', soon)
    leftRoom.delete(element)
  }
  return () => {
    leftRoom.set(element, stopShrinking)
    target.addEventListener('scroll', soon, { passive: true })
    shrink()
  }
}
