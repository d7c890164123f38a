import { keyText } from './keys.ts'
import './tooltip.css'

let bubble: HTMLElement | null = null
let shownFor: Element | null = null
let hiddenAt = 0

function place(target: Element, text: string): void {
  bubble ??= Object.assign(document.createElement('div'), { className: 'g-tooltip', ariaHidden: 'true' })
  bubble.textContent = text
  // Within the dialog, where there is one: an open modal hides whatever lies outside it.
  ;(target.closest('dialog, [role=dialog]') ?? document.body).append(bubble)
  const at = target.getBoundingClientRect()
  const own = bubble.getBoundingClientRect()
  const below = at.bottom + 6 + own.height < innerHeight
  const left = Math.min(Math.max(8, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 8)
  // A dialog that is moved by a transform is what `fixed` counts from.
  const frame = bubble.offsetParent?.getBoundingClientRect() ?? { left: 0, top: 0 }
  bubble.style.left = `${left - frame.left}px`
  bubble.style.top = `${(below ? at.bottom + 6 : at.top - own.height - 6) - frame.top}px`
  bubble.dataset.shown = ''
  shownFor = target
}

function hide(): void {
  if (!bubble || !shownFor) return
  delete bubble.dataset.shown
  bubble.remove()
  shownFor = null
  hiddenAt = Date.now()
}

/**
 * An attachment that says what a control does, and its shortcut, when the pointer rests on it or the keyboard gets
 * there. Assistive technology hears the control’s own label instead.
 */
export function tooltip(text: string, keys?: string) {
  return (target: Element): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const words = keys ? `${text}  ${keyText(keys)}` : text
    const later = (delay: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => place(target, words), Date.now() - hiddenAt < 300 ? 0 : delay)
    }
    const enter = (event: Event) => (event as PointerEvent).pointerType === 'mouse' && later(450)
    const focus = () => target.matches(':focus-visible') && later(300)
    const leave = () => {
      clearTimeout(timer)
      if (shownFor === target) hide()
    }
    const key = (event: Event) => (event as KeyboardEvent).key === 'Escape' && leave()
    const listeners: [string, (event: Event) => void][] = [
      ['pointerenter', enter],
      ['focus', focus],
      ['pointerleave', leave],
      ['blur', leave],
      ['pointerdown', leave],
      ['click', leave],
      ['keydown', key],
    ]
    for (const [name, listener] of listeners) target.addEventListener(name, listener)
    return () => {
      leave()
      for (const [name, listener] of listeners) target.removeEventListener(name, listener)
    }
  }
}
