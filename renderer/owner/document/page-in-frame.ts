/** What has a place in a page: words, or what is drawn among them. */
type Placed = Pick<Range, 'getBoundingClientRect'>
interface Stretch {
  top: number
  bottom: number
}

/** Between what is brought into view and what ends that, in pixels: as much as this where there is room, or at least so much. */
const [usual, least] = [96, 12]

export function boxOf(placed: readonly Placed[]): Stretch {
  const boxes = placed.map((one) => one.getBoundingClientRect())
  return {
    top: Math.min(...boxes.map(({ top }) => top)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  }
}

/** How far down the window words stand; those in something closed, where that is. */
export function topOf(range: Range): number {
  const box = range.getBoundingClientRect()
  if (box.height > 0) return box.top
  const closed = range.startContainer.parentElement?.closest('details:not([open])')
  return (closed?.getBoundingClientRect() ?? box).top
}

/** Opens what words are in. */
export function openAround(range: Range): void {
  for (let at = range.startContainer.parentElement; at; at = at.parentElement)
    if (at.matches('details')) at.setAttribute('open', '')
}

/** Scrolls a page as far as a stretch of it isn’t in view; `end` is where something covers its window, if not below it. */
export function bringIntoView(view: Window, { top, bottom }: Stretch, end = Infinity): void {
  const room = Math.min(view.innerHeight, end)
  const margin = Math.max(least, Math.min(usual, (room - (bottom - top)) / 2))
  const [above, below] = [margin - top, bottom - (room - margin)]
  // Of what has no room the beginning comes first.
  const by = above > 0 ? -above : Math.max(0, Math.min(below, -above))
  if (by !== 0) view.scrollBy({ top: by, behavior: 'instant' })
}
