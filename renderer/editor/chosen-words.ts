import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { PlaceBeside } from './place-beside.ts'

/** Where the line stands in the window in which selected words end, and where the text’s column and its room end. */
export interface ChosenPlace {
  top: number
  bottom: number
  right: number
  edge: number
}

const hasChosen = ({ doc, selection: { main, ranges } }: EditorState): boolean =>
  ranges.length === 1 &&
  !main.empty &&
  /\S/.test(doc.sliceString(main.from, Math.min(main.to, main.from + 1_000)))

/**
 * Where the words are that somebody has selected, once they have done so: not while they still drag, and not where it is
 * out of view.
 */
export function chosenWords(): PlaceBeside<ChosenPlace> {
  let isDragging = false
  return new PlaceBeside<ChosenPlace>({
    read: (view) => (isDragging ? null : placeIn(view)),
    moves: ({ docChanged, selectionSet, focusChanged, geometryChanged }) =>
      docChanged || selectionSet || focusChanged || geometryChanged,
    listen({ contentDOM }, look) {
      const press = (event: PointerEvent) => {
        isDragging = event.button === 0
        look()
      }
      const release = () => {
        isDragging = false
        look()
      }
      contentDOM.addEventListener('pointerdown', press)
      for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release)
      return () => {
        contentDOM.removeEventListener('pointerdown', press)
        for (const end of ['pointerup', 'pointercancel']) removeEventListener(end, release)
      }
    },
  })
}

function placeIn(view: EditorView): ChosenPlace | null {
  const { state, contentDOM, scrollDOM } = view
  if (!hasChosen(state) || !view.hasFocus) return null
  const { head } = state.selection.main
  const line = view.coordsAtPos(head, head === state.selection.main.to ? -1 : 1)
  const window = scrollDOM.getBoundingClientRect()
  if (!line || line.bottom < window.top + 8 || line.top > window.bottom - 8) return null
  const column = contentDOM.getBoundingClientRect()
  const inset = parseFloat(getComputedStyle(contentDOM).paddingRight)
  const edge = window.left + scrollDOM.clientLeft + scrollDOM.clientWidth
  return { top: line.top, bottom: line.bottom, right: column.right - inset, edge }
}
