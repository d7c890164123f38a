import { EditorSelection } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { roomBelow } from '../ui/room-below.ts'
import { toastsTop } from '../ui/toasts-top.ts'
import { drawnMarks, passageLookedAt } from './marks.ts'

/** Between a mark and what ends the view, in pixels: as much as this where there is room, and never less than that. */
const [usual, least] = [96, 12]

/**
 * Brings a mark into view as far as it isn’t: all of it, with what is suggested there, or its first lines where there is
 * less room.
 */
export function bringMarkIntoView(view: EditorView, id: string): void {
  const mark = drawnMarks(view.state).get(id)
  if (!mark) return
  const words = EditorSelection.range(mark.to, mark.from)
  view.dispatch({ effects: EditorView.scrollIntoView(words, { yMargin: least }) })
  // Only what is drawn says how high it is with what is put in. By then it is drawn.
  requestAnimationFrame(() => settle(view, id))
}

function settle(view: EditorView, id: string): void {
  const { contentDOM, scrollDOM } = view
  const drawn = boxOf(contentDOM.querySelectorAll(`[data-mark="${id}"], [data-suggestion="${id}"]`))
  if (!drawn) return
  const { top, bottom } = drawn
  const box = scrollDOM.getBoundingClientRect()
  const end = Math.min(box.bottom, toastsTop() ?? Infinity)
  const margin = Math.max(least, Math.min(usual, (end - box.top - (bottom - top)) / 2))
  const [above, below] = [box.top + margin - top, bottom - (end - margin)]
  // Of what has no room the beginning comes first.
  if (above > 0) scrollDOM.scrollTop -= above
  else if (below > 0) scrollDOM.scrollTop += Math.min(below, -above)
}

function boxOf(elements: Iterable<Element>): { top: number; bottom: number } | null {
  const rects = [...elements].flatMap((one) => [...one.getClientRects()])
  if (rects.length === 0) return null
  return {
    top: Math.min(...rects.map(({ top }) => top)),
    bottom: Math.max(...rects.map(({ bottom }) => bottom)),
  }
}

/** What is written isn’t scrolled to where toasts cover it. */
export const aboveToasts = EditorView.scrollMargins.of(({ scrollDOM }) => {
  const free = toastsTop()
  if (free === null) return null
  const { top, bottom } = scrollDOM.getBoundingClientRect()
  // Else no line has room there.
  return free - top > 2 * least && free < bottom ? { bottom: bottom - free } : null
})

/**
 * Moves the passage that is looked at, or of which something was just settled, above the toasts that cover it, and the
 * line that is written; what is in view without that stays where it is.
 */
export function keepAboveToasts(view: EditorView): void {
  const { state, hasFocus, scrollDOM } = view
  const [free, passage] = [toastsTop(), passageLookedAt(state)]
  if (free === null || scrollDOM.clientHeight === 0) return
  if (passage) keepPassageAbove(view, free, passage)
  if (!hasFocus) return
  const { head } = state.selection.main
  const line = view.coordsAtPos(head)
  const isSeen = line && line.bottom <= scrollDOM.getBoundingClientRect().bottom
  if (isSeen && line.bottom > free)
    view.dispatch({ effects: EditorView.scrollIntoView(head, { y: 'nearest', yMargin: 2 }) })
}

function keepPassageAbove(view: EditorView, free: number, passage: { from: number; to: number }): void {
  const { contentDOM, scrollDOM } = view
  const [from, to] = [view.coordsAtPos(passage.from, 1), view.coordsAtPos(passage.to, -1)]
  if (!from || !to) return
  // What is put in there is drawn beside it.
  const drawn = boxOf(contentDOM.querySelectorAll('.g-mark-active, .g-suggested-active'))
  const isHere = drawn !== null && drawn.top <= to.bottom && drawn.bottom >= from.top
  const top = Math.min(from.top, isHere ? drawn.top : Infinity)
  const bottom = Math.max(to.bottom, isHere ? drawn.bottom : 0)
  const covered = bottom + least - free
  // Of what is longer than the room its beginning stays in view.
  const room = top - least - scrollDOM.getBoundingClientRect().top
  if (top < innerHeight && covered > 0 && room > 0) scrollDOM.scrollTop += Math.min(covered, room)
}

/** For what stands at the foot of the text, about words of it. */
export function makeRoomBelow({ contentDOM, dom, scrollDOM }: EditorView): () => void {
  const usual = parseFloat(getComputedStyle(contentDOM).paddingBottom)
  if (!matchMedia('(pointer: fine)').matches) contentDOM.blur()
  return roomBelow(dom, '--below-text', { scroller: scrollDOM, usual, room: 0.8 * innerHeight })
}
