import type { ApiError } from '../api/client-of.ts'
import type { EditedText } from './edited-text.svelte.ts'
import type { Editor } from './editor.ts'
import type { Saver } from './saver.svelte.ts'
import { unsentKeys } from './suggesting/suggested-here.ts'
import type { Suggester } from './suggesting/suggester.svelte.ts'

interface Here {
  documentId: string
  text: EditedText
  saver: Saver
  isReadOnly: () => boolean
  /** What is suggested shows otherwise than it did. */
  onShown: () => void
}

/**
 * What makes suggestions of what is typed in an open document: one for all its editors, made where somebody suggests, or
 * where closed windows have left some.
 */
export class SessionSuggester {
  /** Null while what is typed changes the text. */
  inUse = $state.raw<Suggester | null>(null)
  /** The same, also while what is typed changes the text: what it has is sent, and shown in the text. */
  made = $state.raw<Suggester | null>(null)
  readonly #here: Here
  #make: (() => Suggester) | null = null

  constructor(here: Here) {
    this.#here = here
  }

  /** For an editor that is to be; undefined where what is typed there changes the text. */
  forEditor(suggests: boolean, make: (() => Suggester) | null): Suggester | undefined {
    this.#make = make
    return suggests && make ? (this.made ??= make()) : undefined
  }

  /** Goes on in an editor that is there by now. */
  begin(suggester: Suggester | undefined, editor: Editor): void {
    this.inUse = suggester ?? null
    if (!suggester) return this.goOnWithLeft()
    this.#prepare(suggester)
    suggester.begin(this.#here.text, editor)
  }

  /** The editor goes away. */
  goOnUnseen(suggester: Suggester | undefined): void {
    this.inUse = null
    suggester?.goOnUnseen()
  }

  /** What was suggested by typing in windows that are closed by now goes on here, also where nobody suggests. */
  goOnWithLeft(): void {
    if (this.made) return void this.made.takeLeft()
    const { documentId, text, isReadOnly } = this.#here
    if (!this.#make || isReadOnly() || unsentKeys(documentId).length === 0) return
    this.made = this.#make()
    this.#prepare(this.made)
    this.made.beginUnseen(text)
  }

  #prepare(suggester: Suggester): void {
    const { onShown, saver } = this.#here
    suggester.onShown = onShown
    if (saver.lost) suggester.lose(saver.lost)
  }

  /** What says how sending goes, where that isn’t the text’s saver: also what was suggested before may fail. */
  get sender(): Suggester | null {
    const { state, catchesUp } = this.made ?? {}
    const isToBeTold = (state?.kind === 'failed' || catchesUp) && this.#here.saver.state.kind !== 'failed'
    return this.inUse ?? (isToBeTold ? this.made : null)
  }

  /** The server can’t be reached. */
  lose(error: ApiError): void {
    this.made?.lose(error)
    this.goOnWithLeft()
  }

  /** Whether leaving the page would lose any. */
  get wouldLose(): boolean {
    return this.made?.isUnsent === true && !this.made.kept
  }
}
