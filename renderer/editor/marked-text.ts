import type { Editor } from './editor.ts'
import type { MarkPlace, MarkPlaces } from './mark-places.ts'

/** A text of which things are said, as what stands beside it knows it: one that is written, or one that is read. */
export interface MarkedText {
  /** What is scrolled, with the text or as the text is. */
  readonly scroller: HTMLElement
  readonly hasFocus: boolean
  focus(): void
  /** Tells now, and whenever it changes, where the marks stand. Returns what stops it. */
  followMarks(listener: (places: MarkPlaces) => void): () => void
  /** Brings all of a mark into view, as far as it isn’t. */
  revealMark(id: string): void
  /** Where something stands that has no mark, by its place in the document’s text; null where that has none here. */
  placeOf(start: number): MarkPlace | null
  /** Where what is selected stands; null where nothing is begun here. */
  selectedPlace(): MarkPlace | null
  /** Something stands at the foot of the text: its last words, too, can be seen above it. Returns what says that it is gone. */
  makeRoomBelow(): () => void
}

/** The text of an editor. */
export function writtenText(editor: Editor): MarkedText {
  const { view } = editor
  const place = (at: number): MarkPlace => {
    const { scrollDOM } = view
    const line = view.coordsAtPos(at)
    if (line) return { at, top: line.top - scrollDOM.getBoundingClientRect().top + scrollDOM.scrollTop }
    return { at, top: view.lineBlockAt(at).top + view.documentPadding.top }
  }
  return {
    scroller: view.scrollDOM,
    get hasFocus() {
      return view.hasFocus
    },
    focus: () => editor.focus(),
    followMarks: (listener) => editor.followMarks(listener),
    revealMark: (id) => editor.revealMark(id),
    placeOf: (start) => place(Math.min(editor.places.toShown(start), view.state.doc.length)),
    selectedPlace: () => place(editor.selection().from),
    makeRoomBelow: () => editor.makeRoomBelow(),
  }
}
