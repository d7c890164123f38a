import { isHeard } from './unheard-frame.ts'

/**
 * Has a page in a frame and what stands above the frame scroll as one, whichever of them is scrolled. Each only follows
 * what the other did by itself: it would hold up who is scrolling otherwise. Returns what parts them.
 * @param onScroll called once the page has gone a way
 */
export function scrollTogether(page: Window, beside: HTMLElement, onScroll: () => void): () => void {
  const stride = 240
  let [led, followed, told] = [-1, -1, page.scrollY]
  const follow = () => {
    const { scrollY } = page
    if (Math.abs(scrollY - led) >= 1) {
      beside.scrollTop = scrollY
      followed = beside.scrollTop
    }
    if (Math.abs(scrollY - told) < stride) return
    told = scrollY
    onScroll()
  }
  const lead = () => {
    const { scrollTop } = beside
    if (Math.abs(scrollTop - followed) < 1) return
    page.scrollTo({ top: scrollTop, behavior: 'instant' })
    led = page.scrollY
  }
  follow()
  page.addEventListener('scroll', follow, { passive: true })
  const stopLooking = isHeard(page) ? () => undefined : inEachFrame(follow)
  beside.addEventListener('scroll', lead, { passive: true })
  return () => {
    stopLooking()
    page.removeEventListener('scroll', follow)
    beside.removeEventListener('scroll', lead)
  }
}

function inEachFrame(look: () => void): () => void {
  let frame = requestAnimationFrame(function again() {
    look()
    frame = requestAnimationFrame(again)
  })
  return () => cancelAnimationFrame(frame)
}
