import type { RenderedPoint } from '../../server/contract/records/rendering.ts'
import type { Passage } from '../reading/points.ts'
import type { ShownText } from './shown-text.svelte.ts'
import type { Chosen } from './text-pane.ts'

const isSamePoint = (a: RenderedPoint, b: RenderedPoint) => a.block === b.block && a.char === b.char
/** By its places: what browsers say that is selected while a field has the focus isn't always what is. */
const isSamePassage = (a: Passage, b: Passage) => isSamePoint(a.from, b.from) && isSamePoint(a.to, b.to)

/** What its reader has selected in the text. */
export class SelectedWords {
  #words = $state.raw<Chosen | null>(null)
  readonly #text: ShownText

  constructor(text: ShownText) {
    this.#text = text
  }

  /** What is selected, a little after it was. */
  get words(): Chosen | null {
    return this.#words?.revision === this.#text.revision ? this.#words : null
  }

  set words(words: Chosen | null) {
    this.#words = words
  }

  /** What is selected at this moment; `words` follows a little later, and is what is left where a tap unselects. */
  now(): Chosen | null {
    return this.#text.pane.chosen() ?? this.words
  }

  /**
   * What was written about is done with: some browsers show it as selected again once the field is gone. What was
   * selected meanwhile stays.
   */
  clear(about: Chosen | null): void {
    const now = this.now()
    if (now && about && !isSamePassage(now, about)) return
    this.words = null
    if (this.#text.pane.chosen()) document.getSelection()?.removeAllRanges()
  }
}
