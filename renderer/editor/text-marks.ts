import type { ClickedMark, DrawnSuggestion, TextMark, TextRange } from './document-session.ts'
import type { EditedText } from './edited-text.svelte.ts'
import { areSamePlaces, drawnMarks, type EditorMark } from './marks.ts'
import type { Suggester } from './suggesting/suggester.svelte.ts'
import type { EditorPiece } from './suggestion-drawing.ts'

interface Options {
  text: EditedText
  /** Whether what is typed is suggested. */
  isSuggesting: () => boolean
  /** What was suggested here by typing, if anything. */
  own: () => Pick<Suggester, 'placed' | 'isGone' | 'beside' | 'order'> | null
  /** Looks for others’ changes. */
  look: () => Promise<void>
}

const compared = (one: number, other: number) => (one === other ? 0 : one - other)

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
    const { text, isSuggesting, own } = this.#options
    const { editor } = text
    if (!editor) return
    const drawn = drawnMarks(editor.view.state)
    const ownMarks = isSuggesting() ? [] : this.#ownMarks()
    const isOwn = new Set(ownMarks.map(({ id }) => id))
    const marks = this.#marks.flatMap(({ id, kind, active, range, revision, suggestion }): EditorMark[] => {
      const told =
        revision === undefined ? null : text.placeNow(range, revision, putIn(range, suggestion?.pieces))
      const place = told ?? drawn.get(id)
      if (!place) return []
      const mark = { id, kind, active, from: place.from, to: place.to }
      // One’s own are drawn as they are typed, and where they stand since.
      if (suggestion?.mine && (isSuggesting() || isOwn.has(id) || own()?.isGone(id))) return []
      if (!suggestion) return [mark]
      const pieces = told
        ? this.#piecesNow(id, suggestion, range, revision!)
        : drawn.get(id)?.suggestion?.pieces
      return [pieces ? { ...mark, suggestion: { ...suggestion, pieces } } : mark]
    })
    const order = own()?.order
    const turnOf = ({ id }: EditorMark) => order?.turnOfId(id) ?? Infinity
    const all = [...marks, ...ownMarks].sort((a, b) => compared(turnOf(a), turnOf(b)))
    editor.setMarks(all)
  }

  /** What was suggested by typing before, and may not be answered yet, as it stands by now. */
  #ownMarks(): EditorMark[] {
    const said = this.#marks.flatMap(({ suggestion }) => suggestion ?? [])
    const colour = said.reduce((next, one) => Math.max(next, one.colour + 1), 0)
    const shown = said[0]?.shown ?? 'changes'
    const mine = said.find((one) => one.mine) ?? { author: 'you', colour, mine: true, shown }
    return (this.#options.own()?.placed ?? []).flatMap(({ name, id, start, end, pieces }): EditorMark[] => {
      const listed = this.#marks.find((mark) => mark.id === id)
      // It is decided, or yet to be told of.
      if (id !== null && !listed) return []
      const inEditor = pieces.map(({ from, to, insert }): EditorPiece => ({
        ...{ from: start + from, to: start + to, at: start + to, insert },
      }))
      const mark = { id: name, kind: 'suggestion', from: start, to: end } as const
      const suggestion = { ...(listed?.suggestion ?? mine), pieces: inEditor }
      return [{ ...mark, active: listed?.active ?? false, suggestion }]
    })
  }

  /** Where what a suggestion changes is in the editor, each piece for itself: there may be others’ words between. */
  #piecesNow(id: string, { pieces }: DrawnSuggestion, range: TextRange, revision: number): EditorPiece[] {
    const { text, isSuggesting, own } = this.#options
    const suggester = isSuggesting() ? own() : null
    const put = putIn(range, pieces)
    const words = text.lineFedPlaceNow(range, revision, put)
    return pieces.flatMap(({ from, to, insert }): EditorPiece[] => {
      const told = { start: range.start + from, end: range.start + to }
      const place = text.placeNow(told, revision, put)
      if (!place) return []
      const piece = { ...place, at: place.to, insert: insert.replaceAll('\r\n', '\n') }
      const inText = from === to && words ? text.lineFedPlaceNow(told, revision, put) : null
      const beside = inText && suggester?.beside(id, inText.from, words!)
      return [beside ? { ...piece, from: beside.at, to: beside.at, ...beside } : piece]
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

/** What is put in at a place between words; nothing of what is for words. */
const putIn = ({ start, end }: TextRange, pieces: DrawnSuggestion['pieces'] = []): string =>
  start === end ? pieces.map(({ insert }) => insert).join('') : ''
