import { Decoration, WidgetType } from '@codemirror/view'
import './suggesting.css'
import type { Stretch } from './stretches.ts'

/** How words look that one suggests oneself: put in, put in where their place is gone, and taken out. */
export const inserted = Decoration.mark({ tagName: 'ins', class: 'g-own g-put-in', inclusive: true })
export const apart = Decoration.mark({
  tagName: 'ins',
  class: 'g-own g-put-in g-apart',
  // The note of other words right before it stands outside.
  inclusiveEnd: true,
  attributes: {
    title: 'Its place is gone from the text: it stands on its card',
    'aria-description': 'Its place is gone from the text',
  },
})
export const struck = { tagName: 'del', class: 'g-own g-taken-out' }
export const deleted = Decoration.mark(struck)

/** Stands for a line’s end that is put in or taken out, which else nobody would see. */
class LineEnd extends WidgetType {
  readonly kind: Stretch['kind']
  constructor(kind: Stretch['kind']) {
    super()
    this.kind = kind
  }
  override eq(other: LineEnd): boolean {
    return other.kind === this.kind
  }
  override toDOM(): HTMLElement {
    const isPutIn = this.kind === 'put in'
    const sign = document.createElement(isPutIn ? 'ins' : 'del')
    sign.className = `g-own g-line-end ${isPutIn ? 'g-put-in' : 'g-taken-out'}`
    sign.textContent = '¶'
    sign.setAttribute('aria-label', isPutIn ? 'new line' : 'line end taken out')
    return sign
  }
}

export const lineEnds = {
  'put in': Decoration.widget({ widget: new LineEnd('put in'), side: 1 }),
  'taken out': Decoration.widget({ widget: new LineEnd('taken out'), side: 1 }),
}

/** Has what is behind it in a line of the text begin another one on the page. */
class LineBreak extends WidgetType {
  override eq(): boolean {
    return true
  }
  override toDOM(): HTMLElement {
    const around = document.createElement('span')
    around.append(document.createElement('br'))
    return around
  }
}
export const lineBreak = {
  before: Decoration.widget({ widget: new LineBreak(), side: -1 }),
  behind: Decoration.widget({ widget: new LineBreak(), side: 2 }),
}

/** Says of words whose place others have taken out that they are safe, and offers the place where they stand now. */
export class PlaceGone extends WidgetType {
  readonly #key: number
  readonly #isForSelected: boolean
  readonly #keepHere: (key: number) => void
  constructor(key: number, isForSelected: boolean, keepHere: (key: number) => void) {
    super()
    this.#key = key
    this.#isForSelected = isForSelected
    this.#keepHere = keepHere
  }
  override eq(other: PlaceGone): boolean {
    return other.#key === this.#key && other.#isForSelected === this.#isForSelected
  }
  override toDOM(): HTMLElement {
    const note = document.createElement('span')
    note.className = 'g-place-gone'
    note.setAttribute('role', 'note')
    const said = document.createElement('span')
    said.textContent = 'Its place is gone; the words are kept on a card.'
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = this.#isForSelected ? 'Suggest it for the selected words' : 'Suggest it here'
    button.addEventListener('click', () => this.#keepHere(this.#key))
    note.append(said, button)
    return note
  }
  // Presses on it are its button’s.
  override ignoreEvent(): boolean {
    return true
  }
}
