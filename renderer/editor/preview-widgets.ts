import type { EditorView } from '@codemirror/view'
import { WidgetType } from '@codemirror/view'

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
      const at = view.posAtDOM(box)
      const insert = view.state.sliceDoc(at + 1, at + 2) === ' ' ? 'x' : ' '
      if (!view.state.readOnly) {
        view.dispatch({ changes: { from: at + 1, to: at + 2, insert }, userEvent: 'input' })
      }
    }
    return box
  }
  override ignoreEvent() {
    return true
  }
}
