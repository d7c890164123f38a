import { EditorState, type Extension, type Range } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view'

export interface WritingFocus {
  /** Only the paragraph that is being written has its full colour. */
  paragraph: boolean
  /** The line that is being written stays at the same height, and the text moves. */
  typewriter: boolean
}

const current = Decoration.line({ class: 'cm-current' })

/** The first and the last line of what is being written: the paragraphs that the selection touches. */
export function currentLines(state: EditorState): { first: number; last: number } {
  const { from, to } = state.selection.main
  const isBlank = (line: number) => state.doc.line(line).text.trim() === ''
  let first = state.doc.lineAt(from).number
  let last = state.doc.lineAt(to).number
  if (!isBlank(first)) while (first > 1 && !isBlank(first - 1)) first--
  if (!isBlank(last)) while (last < state.doc.lines && !isBlank(last + 1)) last++
  return { first, last }
}

function mark(view: EditorView): DecorationSet {
  const { doc } = view.state
  const { first, last } = currentLines(view.state)
  const marks: Range<Decoration>[] = []
  // A paragraph may be very long; what isn't drawn needs no mark.
  const from = Math.max(first, doc.lineAt(view.viewport.from).number)
  const to = Math.min(last, doc.lineAt(view.viewport.to).number)
  for (let line = from; line <= to; line++) marks.push(current.range(doc.line(line).from))
  return Decoration.set(marks)
}

const currentParagraph = [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      constructor(view: EditorView) {
        this.decorations = mark(view)
      }
      update({ view, docChanged, selectionSet, viewportChanged }: ViewUpdate) {
        if (docChanged || selectionSet || viewportChanged) this.decorations = mark(view)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
  EditorView.editorAttributes.of({ class: 'cm-one-paragraph' }),
]

const typewriter = [
  // Asked for what is typed and for the cursor's moves by keys; where the mouse points is where it should stay.
  EditorState.transactionExtender.of((change) =>
    change.scrollIntoView
      ? { effects: EditorView.scrollIntoView(change.newSelection.main, { y: 'center' }) }
      : null,
  ),
  EditorView.editorAttributes.of({ class: 'cm-typewriter' }),
]

/** How the editor behaves while nothing but the text is shown. */
export const writingFocus = (focus: WritingFocus | null): Extension => [
  focus?.paragraph ? currentParagraph : [],
  focus?.typewriter ? typewriter : [],
]
