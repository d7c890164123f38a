/**
 * Brings the heading that the address names into view, and keeps it there while sections around it load, until whoever
 * reads goes on by themselves. Returns what ends that.
 */
export function keepWantedHeading(page: HTMLElement): () => void {
  const heading = location.hash === '' ? null : document.getElementById(location.hash.slice(1))
  if (!heading || !page.contains(heading)) return () => undefined
  const resizes = new ResizeObserver(() => heading.scrollIntoView({ block: 'start' }))
  resizes.observe(page)
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })

  const goingOn = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
  const end = () => {
    resizes.disconnect()
    for (const event of goingOn) removeEventListener(event, end, true)
  }
  for (const event of goingOn) addEventListener(event, end, { capture: true, passive: true })
  return end
}
