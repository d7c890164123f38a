import { HighlightStyle, syntaxTree } from '@codemirror/language'
import { Prec, type EditorState, type Range } from '@codemirror/state'
import { Decoration, ViewPlugin, type DecorationSet, type EditorView } from '@codemirror/view'
import { highlightTree, tags } from '@lezer/highlight'
import { boundedDrawing } from './bounded-drawing.ts'

const style = HighlightStyle.define([
  { tag: tags.processingInstruction, class: 'md-faint' },
  { tag: tags.url, class: 'md-url' },
  { tag: tags.labelName, class: 'md-faint' },
  { tag: tags.monospace, class: 'md-mono' },
])
const looks = new Map(
  ['md-faint', 'md-url', 'md-mono'].map((name) => [name, Decoration.mark({ class: name })]),
)

/** What the signs of markdown look like between some places. */
export function signColours(
  state: EditorState,
  places: readonly { from: number; to: number }[],
): Range<Decoration>[] {
  const found: Range<Decoration>[] = []
  for (const { from, to } of places)
    highlightTree(
      syntaxTree(state),
      style,
      (start, end, name) => {
        const look = looks.get(name)
        if (look) found.push(look.range(start, end))
      },
      from,
      to,
    )
  return boundedDrawing(state.doc, found)
}

const drawn = ({ state, visibleRanges }: EditorView): DecorationSet =>
  Decoration.set(signColours(state, visibleRanges), true)

/** Colours the signs of markdown, as CodeMirror would, but not however many there are. */
export const signsColoured = Prec.high(
  ViewPlugin.define(
    (view) => ({
      decorations: drawn(view),
      update({ view: now, startState, state, docChanged, viewportChanged }) {
        if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state))
          this.decorations = drawn(now)
      },
    }),
    { decorations: ({ decorations }) => decorations },
  ),
)
