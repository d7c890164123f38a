import { StateEffect, StateField } from '@codemirror/state'
import { ViewPlugin, type EditorView } from '@codemirror/view'

const press = StateEffect.define<boolean>()

/**
 * Whether the mouse is held down in the text: what is drawn by where the selection is waits, so that no words move from
 * under it. Where one touches, the browser itself puts the cursor, a moment later, and nothing may be drawn before that is
 * known.
 */
export const pressed = StateField.define<boolean>({
  create: () => false,
  update: (value, { effects }) => effects.reduce((now, one) => (one.is(press) ? one.value : now), value),
  provide: () =>
    ViewPlugin.fromClass(
      class {
        readonly #view: EditorView
        readonly #release = () => {
          if (this.#view.state.field(pressed)) this.#view.dispatch({ effects: press.of(false) })
        }
        readonly #ends = ['pointerup', 'pointercancel', 'dragend', 'blur'] as const

        constructor(view: EditorView) {
          this.#view = view
          const { defaultView } = view.dom.ownerDocument
          for (const end of this.#ends) defaultView?.addEventListener(end, this.#release)
        }

        destroy() {
          const { defaultView } = this.#view.dom.ownerDocument
          for (const end of this.#ends) defaultView?.removeEventListener(end, this.#release)
        }
      },
      {
        eventHandlers: {
          pointerdown({ button, pointerType }, view) {
            if (button === 0 && pointerType === 'mouse') view.dispatch({ effects: press.of(true) })
            return false
          },
        },
      },
    ),
})
