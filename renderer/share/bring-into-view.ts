import { toastsTop } from '../ui/toasts-top.ts'

/** Where nothing covers the page: below its bar, and above a sheet or a notice at its foot. In the window’s coordinates. */
export interface Clearing {
  top: number
  bottom: number
}

/** Where the bars at the top of the window end. */
export const underBars = (): number => Math.max(0, ...edgesOf('.bar, .banners', ({ bottom }) => bottom))

export function clearing(): Clearing {
  const below = underBars()
  const above = Math.min(
    innerHeight,
    toastsTop() ?? Infinity,
    ...edgesOf('dialog.sheet[open]', ({ top }) => top),
  )
  return { top: below + 12, bottom: Math.max(above - 12, below + 60) }
}

function edgesOf(selector: string, edge: (rect: DOMRect) => number): number[] {
  const rects = [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
  return rects.filter(({ height }) => height > 0).map(edge)
}

/** How many frames in a row something has to stand still to be taken for standing. */
const steady = 4
const longest = 90
/** What says that the reader would rather go somewhere else. */
const signs = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
let stop = () => {}

/**
 * Scrolls until something can be seen, and sees to it that it stays where it is. The parts of a long text are only laid
 * out when they come near, and what was taken for their height before is a guess: so it has to be looked again after
 * each step. Where it stands in view already, nothing moves; `at` says at which height in the window it is to stand
 * whatever is in view.
 */
export async function bringIntoView(where: () => DOMRect | null, at?: () => number): Promise<void> {
  stop()
  let going = true
  stop = () => {
    going = false
    for (const sign of signs) removeEventListener(sign, stop)
  }
  const stopThis = stop
  for (const sign of signs) addEventListener(sign, stopThis, { passive: true })

  let wanted: number | null = null
  let still = 0
  let last = { at: scrollY, top: NaN }
  for (let frame = 0; going && frame < longest && still < steady; frame++) {
    const rect = where()
    if (!rect) break
    if (at) wanted = at()
    if (wanted === null && !isClear(rect)) {
      const { top, bottom } = clearing()
      const room = bottom - top
      wanted = top + Math.max(0, Math.min(room * 0.25, room - rect.height))
      if (await glide(rect.top - wanted)) continue
    } else if (wanted !== null && Math.abs(rect.top - wanted) >= 1) {
      scrollTo({ top: scrollY + rect.top - wanted, behavior: 'instant' })
    }
    const now = { at: scrollY, top: where()?.top ?? NaN }
    still = now.at === last.at && Math.abs(now.top - last.top) < 1 ? still + 1 : 0
    last = now
    await new Promise(requestAnimationFrame)
  }
  stopThis()
}

/** Moves what a notice covers above it, and as little else as that takes; where its beginning would leave the page, less. */
export function keepAboveNotice(rect: { top: number; bottom: number }): void {
  const free = toastsTop()
  const { top, bottom } = clearing()
  if (free === null || rect.bottom < top || rect.top > innerHeight) return
  const covered = Math.min(rect.bottom - bottom, rect.top - top)
  if (covered > 0) scrollBy({ top: covered })
}

function isClear(rect: DOMRect): boolean {
  const { top, bottom } = clearing()
  const room = bottom - top
  // Of what is higher than there is room the beginning is enough.
  return rect.top >= top && rect.top + (rect.height <= room ? rect.height : room / 2) <= bottom
}

/** Goes a short way so that the eye can follow. False where the way is too long for that, or nothing should move. */
async function glide(distance: number): Promise<boolean> {
  if (Math.abs(distance) > 1.5 * innerHeight || matchMedia('(prefers-reduced-motion: reduce)').matches)
    return false
  const from = scrollY
  scrollBy({ top: distance, behavior: 'smooth' })
  const ended = new Promise((done) => addEventListener('scrollend', done, { once: true }))
  await Promise.race([ended, new Promise((done) => setTimeout(done, 700))])
  return scrollY !== from
}
