/**
 * Tells an element, as long as it is wanted, what an on-screen keyboard leaves of the window where it covers the page
 * instead of making it smaller: `--keyboard` is what it covers at the foot, `--view-top` how far the browser has moved
 * the page up for it. `onShrink` is called when there is less to be seen than before. Returns what stops it.
 */
export function followKeyboard(element: HTMLElement, onShrink?: () => void): () => void {
  const view = window.visualViewport
  if (!view) return () => {}
  let height = view.height
  const fit = () => {
    // What is enlarged by two fingers shows less of the page, too, and is moved about in it.
    const isEnlarged = view.scale > 1.01
    const top = isEnlarged ? 0 : Math.max(0, view.offsetTop)
    // Where something is wider than the page, however shortly, phones count the window as if all of it were shown smaller.
    const whole = innerHeight * Math.min(1, document.documentElement.clientWidth / innerWidth)
    const covered = isEnlarged ? 0 : Math.max(0, whole - view.height - top)
    element.style.setProperty('--keyboard', `${Math.round(covered)}px`)
    element.style.setProperty('--view-top', `${Math.round(top)}px`)
    if (!isEnlarged && view.height < height) onShrink?.()
    ;({ height } = view)
  }
  fit()
  view.addEventListener('resize', fit)
  view.addEventListener('scroll', fit)
  return () => {
    view.removeEventListener('resize', fit)
    view.removeEventListener('scroll', fit)
    element.style.removeProperty('--keyboard')
    element.style.removeProperty('--view-top')
  }
}
