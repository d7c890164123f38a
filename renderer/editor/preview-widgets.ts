import type { EditorView } from '@codemirror/view'
import { WidgetType } from '@codemirror/view'
import { readingOf } from './suggesting/reading.ts'

export class Bullet extends WidgetType {
  override eq() {
    return true
  }
  override toDOM() {
    const bullet = document.createElement('span')
    bullet.className = 'md-bullet'
    bullet.textContent = '•'
    return bullet
  }
}

export class CountedNumber extends WidgetType {
  readonly mark: string
  constructor(mark: string) {
    super()
    this.mark = mark
  }
  override eq(other: CountedNumber) {
    return other.mark === this.mark
  }
  override toDOM() {
    const number = document.createElement('span')
    number.className = 'md-number'
    number.textContent = this.mark
    return number
  }
}

export class HorizontalRule extends WidgetType {
  override eq() {
    return true
  }
  override toDOM() {
    const rule = document.createElement('span')
    rule.className = 'md-rule'
    return rule
  }
}

/** Ticks a box, or unticks it, as it reads by now. */
function tick(view: EditorView, box: number): void {
  const reading = readingOf(view.state)
  const state = reading?.state ?? view.state
  const at = (reading?.toRead(box) ?? box) + 1
  const insert = state.sliceDoc(at, at + 1) === ' ' ? 'x' : ' '
  const transaction = state.update({ changes: { from: at, to: at + 1, insert }, userEvent: 'input' })
  view.dispatch(reading ? reading.back(transaction) : transaction)
}

export class Checkbox extends WidgetType {
  private readonly done: boolean
  constructor(done: boolean) {
    super()
    this.done = done
  }
  override eq(other: Checkbox) {
    return other.done === this.done
  }
  override toDOM(view: EditorView) {
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.className = 'md-checkbox'
    box.checked = this.done
    box.disabled = view.state.readOnly
    box.tabIndex = -1
    box.setAttribute('aria-label', this.done ? 'Done' : 'To do')
    box.onmousedown = (event) => event.preventDefault()
    box.onclick = (event) => {
      event.preventDefault()
      // The text may have moved since this was drawn; the widget knows where it stands now.
      if (!view.state.readOnly) tick(view, view.posAtDOM(box))
    }
    return box
  }
  override ignoreEvent() {
    return true
  }
}
