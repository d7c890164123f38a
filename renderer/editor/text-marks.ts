import type { ClickedMark, DrawnSuggestion, TextMark, TextRange } from './document-session.ts'
import type { EditedText } from './edited-text.svelte.ts'
import { areSamePlaces, drawnMarks, type EditorMark } from './marks.ts'
import type { EditorPiece } from './suggestion-drawing.ts'

interface Options {
  text: EditedText
  /** Whether what is typed is suggested. */
  isSuggesting: () => boolean
  /** Looks for others’ changes. */
  look: () => Promise<void>
}

/** What is said of the text, drawn in its editor where it stands by now. */
export class TextMarks {
  readonly #options: Options
  readonly #listeners = new Set<(mark: ClickedMark) => void>()
  #marks: TextMark[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** These and no others. */
  set(marks: TextMark[]): void {
    const { text, look } = this.#options
    const stand = areSamePlaces(this.#marks, marks)
    this.#marks = marks
    // Those that stand already have moved with the text since.
    if (stand) return text.editor?.activateMark(marks.find(({ active }) => active)?.id ?? null)
    this.draw()
    // Some may be about a newer text than the one here; then they are drawn once it has come.
    if (!marks.some(({ revision = 0 }) => revision > text.revision)) return
    void look()
      .then(() => {
        if (this.#marks === marks) this.draw()
      })
      .catch(() => {})
  }

  /** In an editor that is new, or has a text that is. */
  draw(): void {
    const { text, isSuggesting } = this.#options
    const { editor } = text
    if (!editor) return
    const drawn = drawnMarks(editor.view.state)
    editor.setMarks(
      this.#marks.flatMap(({ id, kind, active, range, revision, suggestion }): EditorMark[] => {
        const told = revision === undefined ? null : text.placeNow(range, revision)
        const place = told ?? drawn.get(id)
        if (!place) return []
        const mark = { id, kind, active, from: place.from, to: place.to }
        // Where what is typed is suggested, one’s own are drawn as they are typed.
        if (isSuggesting() && suggestion?.mine) return []
        if (!suggestion) return [mark]
        const pieces = told
          ? this.#piecesNow(suggestion, range, revision!)
          : drawn.get(id)?.suggestion?.pieces
        return [pieces ? { ...mark, suggestion: { ...suggestion, pieces } } : mark]
      }),
    )
  }

  /** Where what a suggestion changes is in the editor, each piece for itself: there may be others’ words between. */
  #piecesNow({ pieces }: DrawnSuggestion, { start }: TextRange, revision: number): EditorPiece[] {
    return pieces.flatMap(({ from, to, insert }): EditorPiece[] => {
      const place = this.#options.text.placeNow({ start: start + from, end: start + to }, revision)
      return place ? [{ ...place, at: place.to, insert: insert.replaceAll('\r\n', '\n') }] : []
    })
  }

  clicked(mark: ClickedMark): void {
    for (const listener of this.#listeners) listener(mark)
  }

  /** Returns what stops it. */
  onClick(listener: (mark: ClickedMark) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
