import { EditorSelection } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { roomBelow } from '../ui/room-below.ts'
import { drawnMarks } from './marks.ts'

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
  const drawn = contentDOM.querySelectorAll(`[data-mark="${id}"], [data-suggestion="${id}"]`)
  const rects = [...drawn].flatMap((one) => [...one.getClientRects()])
  if (rects.length === 0) return
  const top = Math.min(...rects.map((rect) => rect.top))
  const bottom = Math.max(...rects.map((rect) => rect.bottom))
  const box = scrollDOM.getBoundingClientRect()
  const margin = Math.max(least, Math.min(usual, (box.height - (bottom - top)) / 2))
  const [above, below] = [box.top + margin - top, bottom - (box.bottom - margin)]
  // Of what has no room the beginning comes first.
  if (above > 0) scrollDOM.scrollTop -= above
  else if (below > 0) scrollDOM.scrollTop += Math.min(below, -above)
}

/** For what stands at the foot of the text, about words of it. */
export function makeRoomBelow({ contentDOM, dom, scrollDOM }: EditorView): () => void {
  const usual = parseFloat(getComputedStyle(contentDOM).paddingBottom)
  if (!matchMedia('(pointer: fine)').matches) contentDOM.blur()
  return roomBelow(dom, '--below-text', { scroller: scrollDOM, usual, room: 0.8 * innerHeight })
}
