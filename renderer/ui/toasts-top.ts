const listeners = new Set<() => void>()

/** Tells those who follow toasts, until the returned function is called, that others stand in `place`. */
export function watchToasts(place: HTMLElement): () => void {
  const observer = new MutationObserver(() => {
    // A new one has its height only once it is laid out.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        leaveFieldFree()
        for (const tell of listeners) tell()
      }),
    )
  })
  observer.observe(place, { childList: true, subtree: true })
  const events = ['focusin', 'focusout', 'input', 'scrollend'] as const
  const look = () => void requestAnimationFrame(leaveFieldFree)
  for (const event of events) document.addEventListener(event, look, true)
  return () => {
    observer.disconnect()
    for (const event of events) document.removeEventListener(event, look, true)
  }
}

/** Has `tell` called whenever another toast comes or one goes. */
export function onToasts(tell: () => void): () => void {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** So much of each toast behind the front one stands out above it. */
const edge = 14

/** The box in which toasts stand, or will once they are there; null where there is none. */
function boxOfToasts() {
  const list = document.querySelector('[data-sonner-toaster]')
  const toasts = [...(list?.querySelectorAll<HTMLElement>('[data-sonner-toast]') ?? [])].filter(
    ({ dataset }) => dataset['removed'] !== 'true' && dataset['visible'] === 'true',
  )
  const front = toasts.find(({ dataset }) => dataset['front'] === 'true')
  if (!list || !front) return null
  const { left, right, bottom } = list.getBoundingClientRect()
  return { left, right, bottom, top: bottom - front.offsetHeight - edge * (toasts.length - 1) }
}

/** Over the bar at the window’s head, where they stand in a low one, they cover no words. */
const head = 48

/** How far down the window is free of toasts, and of a recipient’s notice; null where none covers any of the text. */
export function toastsTop(): number | null {
  const box = boxOfToasts() ?? document.querySelector('.news .toast')?.getBoundingClientRect()
  return box && box.top > head ? box.top : null
}

/** Where toasts would cover the field that is written in, they stand above it, by `--field`. */
function leaveFieldFree(): void {
  const { style } = document.documentElement
  style.removeProperty('--field')
  const toasts = boxOfToasts()
  const field = document.activeElement
  if (!toasts || !field?.matches('textarea, input')) return
  // With what sends it.
  const { left, right, top, bottom } = (field.closest('form') ?? field).getBoundingClientRect()
  const isCovered = left < toasts.right && right > toasts.left && top < toasts.bottom && bottom > toasts.top
  const hasRoom = top > 2 * (toasts.bottom - toasts.top)
  if (isCovered && hasRoom) style.setProperty('--field', `${Math.round(innerHeight - top)}px`)
}
