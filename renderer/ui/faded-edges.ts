import './faded-edges.css'

/**
 * Has what scrolls sideways (of the class `faded-edges`, which it has from the start, so that the page is never as wide
 * as all of it) fade where there is more than fits. Returns what ends that.
 */
export function fadeEdges(row: HTMLElement): () => void {
  const measure = () => {
    row.classList.toggle('more-before', row.scrollLeft > 1)
    row.classList.toggle('more-after', row.scrollLeft + row.clientWidth < row.scrollWidth - 1)
  }
  const observer = new ResizeObserver(measure)
  observer.observe(row)
  row.addEventListener('scroll', measure, { passive: true })
  return () => {
    observer.disconnect()
    row.removeEventListener('scroll', measure)
  }
}
