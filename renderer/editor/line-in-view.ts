import { EditorView, ViewPlugin } from '@codemirror/view'

/** How near to the edge the line may come that is written. */
const margin = 16

/**
 * Keeps the line that is written in view where the room for the text gets smaller: for a banner that comes up below or
 * above it, or for a phone’s keyboard.
 */
export const lineInView = ViewPlugin.fromClass(
  class {
    readonly #observer: ResizeObserver
    #height: number

    constructor(view: EditorView) {
      const { scrollDOM } = view
      this.#height = scrollDOM.clientHeight
      this.#observer = new ResizeObserver(() => {
        const before = this.#height
        this.#height = scrollDOM.clientHeight
        if (this.#height < before && view.hasFocus) this.#show(view, before)
      })
      this.#observer.observe(scrollDOM)
    }

    /** Whoever has scrolled away from the line stays where they are. */
    #show(view: EditorView, before: number): void {
      const { head } = view.state.selection.main
      view.requestMeasure({
        key: this,
        read: () => {
          const line = view.coordsAtPos(head)
          const { top } = view.scrollDOM.getBoundingClientRect()
          return line && line.bottom > top + this.#height - margin && line.top < top + before
        },
        write: (isCovered) => {
          if (!isCovered) return
          // Not while the editor is still at its measuring.
          requestAnimationFrame(() => {
            if (view.dom.isConnected)
              view.dispatch({ effects: EditorView.scrollIntoView(head, { y: 'nearest', yMargin: margin }) })
          })
        },
      })
    }

    destroy(): void {
      this.#observer.disconnect()
    }
  },
)
