import { ViewPlugin, type EditorView, type PluginValue, type ViewUpdate } from '@codemirror/view'

/** How it is known where something stands, and when to look again. */
interface PlaceSource<Place> {
  /** Called once the editor has laid its text out; null where there is nothing to draw. */
  read: (view: EditorView) => Place | null
  /** Whether it may stand elsewhere after this. */
  moves: (update: ViewUpdate) => boolean
  /** What else is listened to; returns what stops it. */
  listen?: (view: EditorView, look: () => void) => () => void
}

/** Where something is in the window that a page draws beside the words of an editor, told to whoever draws it. */
export class PlaceBeside<Place extends object> {
  readonly #listeners = new Set<(place: Place | null) => void>()
  #place: Place | null = null

  readonly extension

  constructor(source: PlaceSource<Place>) {
    this.extension = ViewPlugin.define((view) => this.#watch(view, source))
  }

  /** Tells now, and whenever it changes; null while there is none. Returns what stops it. */
  follow(listener: (place: Place | null) => void): () => void {
    this.#listeners.add(listener)
    listener(this.#place)
    return () => this.#listeners.delete(listener)
  }

  #watch(view: EditorView, { read, moves, listen }: PlaceSource<Place>): PluginValue {
    const measure = { key: this, read: () => read(view), write: (place: Place | null) => this.#tell(place) }
    const look = () => view.requestMeasure(measure)
    view.scrollDOM.addEventListener('scroll', look, { passive: true })
    const stop = listen?.(view, look)
    return {
      update(update) {
        if (moves(update)) look()
      },
      destroy: () => {
        stop?.()
        this.#tell(null)
      },
    }
  }

  #tell(place: Place | null): void {
    const before = this.#place
    const isSame =
      place === before ||
      (place && before && (Object.keys(place) as (keyof Place)[]).every((key) => place[key] === before[key]))
    if (isSame) return
    this.#place = place
    for (const listener of this.#listeners) listener(place)
  }
}
