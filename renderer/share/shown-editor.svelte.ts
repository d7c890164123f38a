import { untrack } from 'svelte'
import type { Editor } from '../editor/editor.ts'
import { placeInView, showPlace, type PlaceInView } from '../editor/place-in-view.ts'
import type { TextFacts } from '../editor/text-facts.svelte.ts'
import { EditedMarks } from './edited-marks.svelte.ts'
import { EditedPlace } from './edited-place.ts'
import type { OpenText } from './open-text.svelte.ts'
import type { Reader } from './reader.svelte.ts'
import type { ReturnTo } from './text-editing.svelte.ts'

/** The editor that shows the open text, with the marks in it, at the place where its reader is. */
export class ShownEditor {
  /** Null while there is none. */
  editor = $state.raw<Editor | null>(null)
  marks = $state.raw<EditedMarks | null>(null)
  readonly #reader: Reader
  readonly #text: OpenText
  readonly #facts: TextFacts
  readonly #place: EditedPlace
  /** What stood at the top of the editor before this one. */
  #leftAt: PlaceInView | null = null

  constructor(reader: Reader, text: OpenText, facts: TextFacts) {
    this.#reader = reader
    this.#text = text
    this.#facts = facts
    this.#place = new EditedPlace(reader)
  }

  /**
   * Shows the text in an element, for as long as that is there. Untracked: drawing the editor reads the session’s state,
   * and must not happen again whenever that changes.
   */
  readonly attachment = (parent: HTMLElement): (() => void) => untrack(() => this.#show(parent))

  #show(parent: HTMLElement): () => void {
    const reader = this.#reader
    const session = this.#text.session!
    const { editor, detach } = this.#text.attach(parent, session)
    this.editor = editor
    const stopWatching = session.watch()
    this.#facts.follow(editor)
    if (this.#leftAt) showPlace(editor, this.#leftAt)
    else this.#place.begin(session, editor)
    this.#leftAt = null
    // Of no effect: what is drawn beside the text reads of it for the last time after this editor has gone.
    let marks!: EditedMarks
    $effect.root(() => void (marks = new EditedMarks(reader, session, editor)))
    const stopMarks = marks.start()
    this.marks = marks
    reader.editing.feedback = marks
    editor.focus()
    return () => {
      reader.editing.feedback = null
      this.marks = null
      stopMarks()
      stopWatching()
      detach()
      this.editor = null
    }
  }

  /** The editor that comes in place of this one shows at the top what this one does. */
  handOnPlace(): void {
    if (this.editor) this.#leftAt = placeInView(this.editor)
  }

  /** Where to go on reading; null for where reading was left. */
  whereNow(): (() => ReturnTo) | null {
    const { session } = this.#text
    return this.editor && session ? this.#place.whereNow(session, this.editor) : null
  }
}
