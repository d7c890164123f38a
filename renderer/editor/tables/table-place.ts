import type { EditorView } from '@codemirror/view'
import { PlaceBeside } from '../place-beside.ts'
import { tableAround } from './table-around.ts'
import type { Alignment } from './table-text.ts'

/** The table that is written in: where it and the line of the cursor are in the window, and the room around the text. */
export interface ShownTable {
  top: number
  bottom: number
  left: number
  width: number
  cursor: { top: number; bottom: number }
  room: { top: number; bottom: number }
  /** Of the column that the cursor is in. */
  align: Alignment
}

/** What marks the bar at a table: while it has the focus, the table is still the one that is written in. */
export const tableBarMark = 'data-table-bar'

/** Where the table is that is written in. */
export const tablesPlace = () =>
  new PlaceBeside<ShownTable>({
    read: placeIn,
    moves: ({ docChanged, selectionSet, focusChanged, geometryChanged }) =>
      docChanged || selectionSet || focusChanged || geometryChanged,
    listen(_view, look) {
      document.addEventListener('focusin', look)
      return () => document.removeEventListener('focusin', look)
    },
  })

function placeIn(view: EditorView): ShownTable | null {
  const { state, contentDOM, scrollDOM, documentTop } = view
  const isWritten = view.hasFocus || document.activeElement?.closest(`[${tableBarMark}]`)
  const around = isWritten && !state.readOnly ? tableAround(state) : null
  if (!around) return null
  const top = documentTop + view.lineBlockAt(around.from).top
  const bottom = documentTop + view.lineBlockAt(around.to).bottom
  const line = view.lineBlockAt(state.selection.main.head)
  const room = scrollDOM.getBoundingClientRect()
  if (bottom < room.top + 8 || top > room.bottom - 8) return null
  const column = contentDOM.getBoundingClientRect()
  const inset = parseFloat(getComputedStyle(contentDOM).paddingLeft)
  return {
    top,
    bottom,
    left: column.left + inset,
    width: column.width - 2 * inset,
    cursor: { top: documentTop + line.top, bottom: documentTop + line.bottom },
    room,
    align: around.table.align[around.at.column] ?? '',
  }
}
