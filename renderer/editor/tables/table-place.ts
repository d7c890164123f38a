import { ViewPlugin, type EditorView, type PluginValue, type ViewUpdate } from '@codemirror/view'
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

type Listener = (place: ShownTable | null) => void

/** Tells where the table is that is written in. */
export class TablesPlace {
  readonly #listeners = new Set<Listener>()
  #place: ShownTable | null = null

  readonly extension = ViewPlugin.define((view) => this.#follow(view))

  /** Tells now, and whenever it changes; null where none is. Returns what stops it. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener)
    listener(this.#place)
    return () => this.#listeners.delete(listener)
  }

  #follow(view: EditorView): PluginValue {
    const measure = {
      key: this,
      read: () => placeIn(view),
      write: (place: ShownTable | null) => this.#tell(place),
    }
    const look = () => view.requestMeasure(measure)
    const follow = () => {
      if (this.#place) look()
    }
    view.scrollDOM.addEventListener('scroll', follow, { passive: true })
    document.addEventListener('focusin', follow)
    return {
      update({ docChanged, selectionSet, focusChanged, geometryChanged }: ViewUpdate) {
        if (docChanged || selectionSet || focusChanged || geometryChanged) look()
      },
      destroy: () => {
        document.removeEventListener('focusin', follow)
        this.#tell(null)
      },
    }
  }

  #tell(place: ShownTable | null): void {
    if (place === this.#place) return
    this.#place = place
    for (const listener of this.#listeners) listener(place)
  }
}

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
