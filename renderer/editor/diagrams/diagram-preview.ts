import { syntaxTree } from '@codemirror/language'
import { StateEffect, StateField, type EditorState, type Extension } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import type { Drawing } from '../../diagrams/messages.ts'
import { loadPart } from '../../ui/load-part.ts'
import { drawnMarks } from '../marks.ts'
import { diagramBlocks, mayBegin, saysMermaid, type DiagramBlock } from './diagram-blocks.ts'
import { DiagramProblem, DrawnDiagram } from './diagram-widgets.ts'

/** What became of a source: its drawing, or why there is none. */
type Outcome = Drawing | string

const drawn = StateEffect.define<{ key: string; outcome: Outcome }>()
const focused = StateEffect.define<boolean>()
const theme = StateEffect.define<'light' | 'dark'>()

interface Diagrams {
  /** Whether the text may have any. */
  mayHave: boolean
  blocks: readonly DiagramBlock[]
  outcomes: ReadonlyMap<string, Outcome>
  hasFocus: boolean
  theme: 'light' | 'dark'
  shown: DecorationSet
}

/** So many outcomes are remembered. */
const remembered = 200
const keyOf = (diagrams: Pick<Diagrams, 'theme'>, { source }: DiagramBlock) => `${diagrams.theme} ${source}`

const diagramsField = StateField.define<Diagrams>({
  create(state) {
    const mayHave = saysMermaid(state.doc)
    const blocks = mayHave ? diagramBlocks(state) : []
    const outcomes = new Map<string, Outcome>()
    return { mayHave, blocks, outcomes, hasFocus: false, theme: 'light', shown: Decoration.none }
  },
  update(before, transaction) {
    const { startState, state, docChanged, effects, selection } = transaction
    const now = { ...before }
    now.mayHave ||= docChanged && mayBegin(transaction)
    if (!now.mayHave) return remember(now, effects)
    if (docChanged || syntaxTree(startState) !== syntaxTree(state)) now.blocks = diagramBlocks(state)
    remember(now, effects)
    const isSame = now.blocks === before.blocks && effects.length === 0 && !selection
    return isSame ? now : { ...now, shown: shownIn(state, now) }
  },
  provide: (field) => EditorView.decorations.from(field, ({ shown }) => shown),
})

function remember(now: Diagrams, effects: readonly StateEffect<unknown>[]): Diagrams {
  for (const effect of effects) {
    if (effect.is(focused)) now.hasFocus = effect.value
    if (effect.is(theme)) now.theme = effect.value
    if (!effect.is(drawn)) continue
    const outcomes = new Map(now.outcomes).set(effect.value.key, effect.value.outcome)
    if (outcomes.size > remembered) outcomes.delete(outcomes.keys().next().value!)
    now.outcomes = outcomes
  }
  return now
}

/** Where somebody writes, or has said something about the source, that is what is to be seen. */
function isSource(state: EditorState, { hasFocus }: Diagrams, { from, to }: DiagramBlock): boolean {
  const touches = (place: { from: number; to: number }) => place.from <= to && place.to >= from
  if (hasFocus && !state.readOnly && state.selection.ranges.some(touches)) return true
  return [...drawnMarks(state).values()].some(touches)
}

function shownIn(state: EditorState, now: Diagrams): DecorationSet {
  const ranges = now.blocks.flatMap((block) => {
    const outcome = now.outcomes.get(keyOf(now, block))
    if (outcome === undefined || isSource(state, now, block)) return []
    if (typeof outcome === 'string')
      return [
        Decoration.widget({ widget: new DiagramProblem(outcome), block: true, side: 1 }).range(block.to),
      ]
    return [
      Decoration.replace({ widget: new DrawnDiagram(outcome), block: true }).range(block.from, block.to),
    ]
  })
  return Decoration.set(ranges)
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
    for (const block of now.blocks) {
      const key = keyOf(now, block)
      if (block.from > viewport.to || block.to < viewport.from || this.#asked.has(key)) continue
      if (now.outcomes.has(key) || isSource(state, now, block)) continue
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
  EditorView.focusChangeEffect.of((_state, isFocused) => focused.of(isFocused)),
  ViewPlugin.define((view) => new DiagramsInView(view, address)),
]
