import type { EditorState } from '@codemirror/state'
import { ViewPlugin, type EditorView, type PluginValue, type ViewUpdate } from '@codemirror/view'

/** Where the line stands in the window in which selected words end, and where the text’s column and its room end. */
export interface ChosenPlace {
  top: number
  bottom: number
  right: number
  edge: number
}

type Listener = (place: ChosenPlace | null) => void

const hasChosen = ({ doc, selection: { main, ranges } }: EditorState): boolean =>
  ranges.length === 1 &&
  !main.empty &&
  /\S/.test(doc.sliceString(main.from, Math.min(main.to, main.from + 1_000)))

/** Tells where the words are that somebody has selected, once they have done so: not while they still drag. */
export class ChosenWords {
  readonly #listeners = new Set<Listener>()
  #place: ChosenPlace | null = null

  readonly extension = ViewPlugin.define((view) => this.#follow(view))

  /** Tells now, and whenever it changes; null where nothing is selected or it is out of view. Returns what stops it. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener)
    listener(this.#place)
    return () => this.#listeners.delete(listener)
  }

  #follow(view: EditorView): PluginValue {
    let isDragging = false
    const measure = {
      key: this,
      read: () => (isDragging ? null : placeIn(view)),
      write: (place: ChosenPlace | null) => this.#tell(place),
    }
    const look = () => view.requestMeasure(measure)
    const press = (event: PointerEvent) => {
      isDragging = event.button === 0
      look()
    }
    const release = () => {
      isDragging = false
      look()
    }
    view.contentDOM.addEventListener('pointerdown', press)
    view.scrollDOM.addEventListener('scroll', look, { passive: true })
    for (const end of ['pointerup', 'pointercancel']) addEventListener(end, release)
    return {
      update({ docChanged, selectionSet, focusChanged, geometryChanged }: ViewUpdate) {
        if (docChanged || selectionSet || focusChanged || geometryChanged) look()
      },
      destroy: () => {
        for (const end of ['pointerup', 'pointercancel']) removeEventListener(end, release)
        this.#tell(null)
      },
    }
  }

  #tell(place: ChosenPlace | null): void {
    const before = this.#place
    const isSame =
      place === before ||
      (place &&
        before &&
        (Object.keys(place) as (keyof ChosenPlace)[]).every((key) => place[key] === before[key]))
    if (isSame) return
    this.#place = place
    for (const listener of this.#listeners) listener(place)
  }
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
