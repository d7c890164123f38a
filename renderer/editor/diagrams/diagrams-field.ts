import { syntaxTree } from '@codemirror/language'
import { StateEffect, StateField, type EditorState } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet, type WidgetType } from '@codemirror/view'
import type { Drawing } from '../../diagrams/messages.ts'
import { isHeavy } from '../../diagrams/weight.ts'
import { drawnMarks } from '../marks.ts'
import { diagramBlocks, mayBegin, saysMermaid, type DiagramBlock } from './diagram-blocks.ts'
import { DiagramProblem, DrawnDiagram, HeavyDiagram } from './diagram-widgets.ts'

/** What became of a source: its drawing, or why there is none. */
type Outcome = Drawing | string

export const drawn = StateEffect.define<{ key: string; outcome: Outcome }>()
/** Somebody wants this source drawn, though it may take long. */
export const askedFor = StateEffect.define<string>()
export const focused = StateEffect.define<boolean>()
export const theme = StateEffect.define<'light' | 'dark'>()

interface Diagrams {
  /** Whether the text may have any. */
  mayHave: boolean
  blocks: readonly DiagramBlock[]
  outcomes: ReadonlyMap<string, Outcome>
  /** The heavy sources that somebody wants drawn. */
  asked: ReadonlySet<string>
  hasFocus: boolean
  theme: 'light' | 'dark'
  shown: DecorationSet
}

/** So many outcomes are remembered. */
const remembered = 200
export const keyOf = (diagrams: Pick<Diagrams, 'theme'>, { source }: DiagramBlock) =>
  `${diagrams.theme} ${source}`

export const diagramsField = StateField.define<Diagrams>({
  create(state) {
    const mayHave = saysMermaid(state.doc)
    const blocks = mayHave ? diagramBlocks(state) : []
    const outcomes = new Map<string, Outcome>()
    const asked = new Set<string>()
    return { mayHave, blocks, outcomes, asked, hasFocus: false, theme: 'light', shown: Decoration.none }
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
    if (effect.is(askedFor)) now.asked = new Set([...now.asked, effect.value].slice(-remembered))
    if (!effect.is(drawn)) continue
    const outcomes = new Map(now.outcomes).set(effect.value.key, effect.value.outcome)
    if (outcomes.size > remembered) outcomes.delete(outcomes.keys().next().value!)
    now.outcomes = outcomes
  }
  return now
}

/** Whether a source stands there until somebody asks for its diagram. */
export const waits = ({ asked }: Diagrams, { source }: DiagramBlock): boolean =>
  isHeavy(source) && !asked.has(source)

/** Where somebody writes, or has said something about the source, that is what is to be seen. */
export function sourcesIn(state: EditorState, { hasFocus }: Diagrams): (block: DiagramBlock) => boolean {
  const written = hasFocus && !state.readOnly ? state.selection.ranges : []
  const places = [...written, ...drawnMarks(state).values()]
  return ({ from, to }) => places.some((place) => place.from <= to && place.to >= from)
}

function shownIn(state: EditorState, now: Diagrams): DecorationSet {
  const isSource = sourcesIn(state, now)
  const ranges = now.blocks.flatMap((block) => {
    const outcome = now.outcomes.get(keyOf(now, block))
    if (isSource(block)) return []
    const below = (widget: WidgetType) => [
      Decoration.widget({ widget, block: true, side: 1 }).range(block.to),
    ]
    if (outcome === undefined) {
      const ask = (view: EditorView) => view.dispatch({ effects: askedFor.of(block.source) })
      if (!waits(now, block)) return []
      const widget = new HeavyDiagram(block.source, ask)
      return [Decoration.widget({ widget, block: true, side: -1 }).range(block.from)]
    }
    if (typeof outcome === 'string') return below(new DiagramProblem(outcome))
    return [
      Decoration.replace({ widget: new DrawnDiagram(outcome), block: true }).range(block.from, block.to),
    ]
  })
  return Decoration.set(ranges)
}
