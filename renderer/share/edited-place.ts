import type { Editor } from '../editor/editor.ts'
import { editorTop, holdAtTop, placeInEditor, returnTo, sourceOfLine, standsThere } from './editing-place.ts'
import type { Reader } from './reader.svelte.ts'
import type { ReturnTo } from './text-editing.svelte.ts'

/** As much of an open text as says what stands where in it. */
interface Opened {
  readonly content: string
  /** What the server has of it. */
  readonly base: { revision: number; content: string }
}

/** Where its reader is in a text that is edited: from the line that they read to that at which they go on reading. */
export class EditedPlace {
  readonly #reader: Reader
  /** What was shown at the top to begin with, and in which text; null for the text’s beginning. */
  #begun: { at: number; content: string } | null = null

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Shows at the top what stood there in the page. */
  begin({ base, content }: Opened, { view }: Editor): void {
    const { editing, pane } = this.#reader
    if (!editing.place) return
    const at = placeInEditor(view, content, base, sourceOfLine(pane, editing.place, base))
    this.#begun = { at, content }
    holdAtTop(view, at, editing.down)
  }

  /** Where to go on reading, as the editor stands now; null for where reading was left. */
  whereNow(opened: Opened, { places, view }: Editor): (() => ReturnTo) | null {
    const { editing } = this.#reader
    const { content } = opened
    const begun = this.#begun
    const shown = editorTop(view)
    const top = { ...shown, at: places.toText(shown.at) }
    const stays = begun ? standsThere(view, begun.at, editing.down) : top.at === 0 && editing.place === null
    // Who only looks in comes back to the very place.
    if (stays && (!begun || begun.content === content)) return null
    return () => returnTo(this.#reader, top, content, opened.base)
  }
}
