import {
  Facet,
  Prec,
  StateEffect,
  StateField,
  Transaction,
  type EditorState,
  type Extension,
  type TransactionSpec,
} from '@codemirror/state'
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { isSuggested, ownSuggestions } from './own-suggestions.ts'

/**
 * Composing, as input methods and keyboards of phones do. Whoever composes changes the page first and tells of it after
 * that, and goes on with the words as they left them. So for as long as that lasts the page reads as if one wrote in the
 * text: what is composed stands before the words that it replaces, and these aren’t seen. Once it is over they are
 * struck through before it, as ever.
 */

interface Range {
  from: number
  to: number
}

/** Words of the document come to stand there, behind what is composed in their place. */
export const composeOver = StateEffect.define<Range>()
const endComposing = StateEffect.define()

/** Where words stand that something is being composed in the place of. */
export const composedOver = StateField.define<readonly Range[]>({
  create: () => [],
  update(ranges, { changes, effects }) {
    if (effects.some((effect) => effect.is(endComposing))) return []
    const came = effects.flatMap((effect) => (effect.is(composeOver) ? effect.value : []))
    if (came.length === 0 && (ranges.length === 0 || changes.empty)) return ranges
    const moved = ranges.map(({ from, to }) => ({
      from: changes.mapPos(from, 1),
      to: changes.mapPos(to, -1),
    }))
    return [...moved, ...came].filter(({ from, to }) => from < to)
  },
})

const composition = Facet.define<{ isOn: boolean }>()

/** Whether a change is one of somebody who composes. */
export const isComposed = (transaction: Transaction): boolean =>
  transaction.isUserEvent('input.type.compose') ||
  transaction.startState.facet(composition).some(({ isOn }) => isOn)

/** What puts what was composed behind the words in whose place it is. */
function ending(state: EditorState): TransactionSpec | null {
  const over = state.field(composedOver)
  if (over.length === 0) return null
  const { stretches } = state.field(ownSuggestions)
  const moves = stretches.flatMap((put, i) => {
    const struck = stretches[i + 1]
    if (put.kind !== 'put in' || struck?.kind !== 'taken out' || struck.key !== put.key) return []
    if (put.to !== struck.from || !over.some(({ from, to }) => from < struck.to && to > struck.from))
      return []
    return [{ put, struck }]
  })
  const changes = state.changes(
    moves.flatMap(({ put, struck }) => [
      { from: put.from, to: put.to },
      { from: struck.to, insert: state.sliceDoc(put.from, put.to) },
    ]),
  )
  const { anchor, head } = state.selection.main
  const now = (at: number) => {
    const move = moves.find(({ put }) => at >= put.from && at <= put.to)
    return move ? at + move.struck.to - move.struck.from : changes.mapPos(at)
  }
  return {
    ...(changes.empty ? {} : { changes, selection: { anchor: now(anchor), head: now(head) } }),
    effects: endComposing.of(null),
    annotations: [isSuggested.of({ isOnePassage: true }), Transaction.userEvent.of('input.type.compose')],
  }
}

/** After the end browsers may still change what was composed, in ms. */
const afterEnd = 60

/**
 * Ends the node of the page in which something is composed where words begin that aren’t seen; what follows is drawn
 * behind those. CodeMirror leaves alone a node that stands in the text in one piece, and so the browser keeps hold of
 * what is composed there.
 */
function endBehindComposed({ state, view }: ViewUpdate): void {
  const over = state.field(composedOver)
  const { focusNode: node, focusOffset } = getSelection() ?? {}
  if (over.length === 0 || !(node instanceof Text) || !view.contentDOM.contains(node)) return
  const start = state.selection.main.head - focusOffset!
  const cut = over.find(({ from }) => from > start && from < start + node.length)
  if (cut && state.sliceDoc(start, cut.from) === node.data.slice(0, cut.from - start))
    node.deleteData(cut.from - start, node.length)
}

export function composing(): Extension {
  const now = { isOn: false }
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (view: EditorView) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (view.compositionStarted) return
      now.isOn = false
      const spec = ending(view.state)
      if (spec) view.dispatch(spec)
    }, afterEnd)
  }
  return [
    composition.of(now),
    composedOver,
    ViewPlugin.define(() => ({ update: endBehindComposed, destroy: () => clearTimeout(timer) })),
    Prec.highest(
      EditorView.domEventObservers({
        compositionstart(_event, view) {
          now.isOn = true
          // What is selected goes before that begins: marks that go with it may not be seen.
          const { from, to } = view.state.selection.main
          if (from < to) view.dispatch({ changes: { from, to }, userEvent: 'input' })
        },
        compositionend: (_event, view) => end(view),
        blur: (_event, view) => end(view),
      }),
    ),
  ]
}
