import type { Extension } from '@codemirror/state'
import { EditorView, keymap, ViewPlugin, type Command, type ViewUpdate } from '@codemirror/view'
import { loadPart } from '../../ui/load-part.ts'
import { diagramsField, drawn, focused, keyOf, sourcesIn, theme, waits } from './diagrams-field.ts'

/** Up and down go into a diagram's source, as into any other lines, and not past it. */
const enter =
  (forward: boolean): Command =>
  (view) => {
    const { state } = view
    const { main } = state.selection
    const { shown } = state.field(diagramsField)
    if (!main.empty || shown.size === 0) return false
    const line = state.doc.lineAt(main.head)
    const beside = forward ? line.to + 1 : line.from - 1
    let head: number | null = null
    shown.between(beside, beside, (from, to) => {
      if (from < to && (forward ? from : to) === beside) head = forward ? from : state.doc.lineAt(to).from
    })
    if (head === null) return false
    // A line that is broken has more of its own to go to.
    const next = view.moveVertically(main, forward).head
    if (next !== main.head && next >= line.from && next <= line.to) return false
    view.dispatch({ selection: { anchor: head }, scrollIntoView: true, userEvent: 'select' })
    return true
  }

/** Has what comes into view drawn, and again where the page turns dark or light. */
class DiagramsInView {
  readonly #view: EditorView
  readonly #address: string
  readonly #asked = new Set<string>()
  readonly #dark = matchMedia('(prefers-color-scheme: dark)')
  readonly #observer = new MutationObserver(() => this.#tellTheme())

  constructor(view: EditorView, address: string) {
    this.#view = view
    this.#address = address
    this.#dark.addEventListener('change', this.#tellTheme)
    this.#observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    queueMicrotask(this.#tellTheme)
  }

  update({ view, docChanged, viewportChanged, state, startState }: ViewUpdate): void {
    const isNews = state.field(diagramsField) !== startState.field(diagramsField)
    if (docChanged || viewportChanged || isNews) this.#look(view)
  }

  destroy(): void {
    this.#observer.disconnect()
    this.#dark.removeEventListener('change', this.#tellTheme)
  }

  readonly #tellTheme = () => {
    const { theme: chosen } = document.documentElement.dataset
    const isDark = chosen === undefined ? this.#dark.matches : chosen === 'dark'
    this.#view.dispatch({ effects: theme.of(isDark ? 'dark' : 'light') })
  }

  #look({ state, viewport }: EditorView): void {
    const now = state.field(diagramsField)
    if (now.blocks.length === 0) return
    const isSource = sourcesIn(state, now)
    for (const block of now.blocks) {
      const key = keyOf(now, block)
      if (block.from > viewport.to || block.to < viewport.from || this.#asked.has(key)) continue
      if (now.outcomes.has(key) || isSource(block) || waits(now, block)) continue
      this.#asked.add(key)
      void this.#draw(key, block.source, now.theme === 'dark')
    }
  }

  async #draw(key: string, source: string, dark: boolean): Promise<void> {
    const { sharedDrawer, NotDrawn } = await loadPart(() => import('../../diagrams/drawer.ts'))
    const outcome = await sharedDrawer(this.#address)
      .draw(source, dark)
      .catch((error: unknown) => (error instanceof NotDrawn && error.lasting ? error.message : null))
    // What can't be drawn just now stays the source that it is.
    if (outcome === null) return
    this.#asked.delete(key)
    this.#view.dispatch({ effects: drawn.of({ key, outcome }) })
  }
}

/**
 * Shows diagrams in the place of their sources, except where somebody is in one of these.
 * @param address of the page that draws them
 */
export const diagramPreview = (address: string): Extension => [
  diagramsField,
  keymap.of([
    { key: 'ArrowDown', run: enter(true) },
    { key: 'ArrowUp', run: enter(false) },
  ]),
  EditorView.focusChangeEffect.of((_state, isFocused) => focused.of(isFocused)),
  ViewPlugin.define((view) => new DiagramsInView(view, address)),
]
