import { ViewPlugin, type EditorView, type PluginValue, type ViewUpdate } from '@codemirror/view'
import { drawnMarks, hasMarks, marksChanged } from './marks.ts'

/** Where a mark stands: in the text, and how far below the top of all that is scrolled. */
export interface MarkPlace {
  at: number
  top: number
}

/** Where all marks stand, and what is in view, each from the top of all that is scrolled. */
export interface MarkPlaces {
  marks: ReadonlyMap<string, MarkPlace>
  view: { top: number; bottom: number }
}

type Listener = (places: MarkPlaces) => void

/** While one types the cards beside the text stay; a moment later they follow, in ms. */
const afterTyping = 150
/** So far is scrolled before what is in view is told again, in pixels. */
const stride = 240

/** Tells where marks stand, for what stands beside them. Costs nothing while nobody listens. */
export class FollowedMarks {
  readonly #listeners = new Set<Listener>()
  #view: EditorView | null = null
  #told: MarkPlaces | null = null

  readonly extension = ViewPlugin.define((view) => this.#follow(view))

  /** Tells now, and whenever they stand elsewhere. Returns what stops it. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener)
    if (this.#told) listener(this.#told)
    this.#look()
    return () => this.#listeners.delete(listener)
  }

  #follow(view: EditorView): PluginValue {
    this.#view = view
    let timer: ReturnType<typeof setTimeout> | undefined
    let seen = view.scrollDOM.scrollTop
    const scroll = () => {
      const { scrollTop } = view.scrollDOM
      if (Math.abs(scrollTop - seen) < stride) return
      seen = scrollTop
      this.#look()
    }
    view.scrollDOM.addEventListener('scroll', scroll, { passive: true })
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        this.#look()
      }, afterTyping)
    }
    return {
      update: (update: ViewUpdate) => {
        if (this.#listeners.size === 0) return
        // Where nothing is marked nothing stands beside the words that one types.
        if (update.docChanged && !hasMarks(update.state) && !this.#told?.marks.size) return
        if (update.docChanged) soon()
        else if (marksChanged(update) || update.geometryChanged || update.viewportChanged) this.#look()
      },
      destroy: () => {
        clearTimeout(timer)
        view.scrollDOM.removeEventListener('scroll', scroll)
        this.#view = null
      },
    }
  }

  #look(): void {
    if (this.#listeners.size === 0) return
    this.#view?.requestMeasure({ key: this, read: placesIn, write: (places) => this.#tell(places) })
  }

  #tell(places: MarkPlaces): void {
    this.#told = places
    for (const listener of this.#listeners) listener(places)
  }
}

function placesIn(view: EditorView): MarkPlaces {
  const { scrollDOM, state } = view
  const { scrollTop, clientHeight } = scrollDOM
  const above = scrollDOM.getBoundingClientRect().top - scrollTop
  const marks = new Map<string, MarkPlace>()
  for (const [id, { from }] of drawnMarks(state)) marks.set(id, { at: from, top: topOf(view, from) - above })
  return { marks, view: { top: scrollTop, bottom: scrollTop + clientHeight } }
}

/** Where the line of a place begins in the window: as it is laid out where that is near, else as it is guessed. */
function topOf(view: EditorView, at: number): number {
  const { from, to } = view.viewport
  const line = at >= from && at <= to ? view.coordsAtPos(at, 1) : null
  if (line) return line.top
  const block = view.lineBlockAt(at)
  const within = block.length > 0 ? (at - block.from) / block.length : 0
  return view.documentTop + block.top + within * Math.max(0, block.height - view.defaultLineHeight)
}
