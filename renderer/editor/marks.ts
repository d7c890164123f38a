import { StateEffect, StateField, type Extension, type Range } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'

/** A comment’s or suggestion’s place, in the editor’s own offsets. */
export interface EditorMark {
  id: string
  kind: 'comment' | 'suggestion'
  from: number
  to: number
  active: boolean
}

const replaceMarks = StateEffect.define<EditorMark[]>()

const decoration = (mark: EditorMark): Range<Decoration> =>
  Decoration.mark({
    class: `g-mark g-mark-${mark.kind}${mark.active ? ' g-mark-active' : ''}`,
    attributes: { 'data-mark': mark.id },
    mark,
  }).range(mark.from, mark.to)

const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    let marks = set.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (!effect.is(replaceMarks)) continue
      const length = transaction.state.doc.length
      const placed = effect.value.filter((mark) => mark.from < mark.to && mark.to <= length)
      marks = Decoration.set(placed.map(decoration), true)
    }
    return marks
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Draws marks on the text, which follow its changes, and tells which one was clicked (the shortest, if they nest). */
export function markLayer(onClick: (mark: EditorMark) => void): Extension {
  return [
    marksField,
    EditorView.domEventHandlers({
      click(event, view) {
        if (!(event.target instanceof Element) || !event.target.closest('.g-mark')) return
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
        let best: EditorMark | null = null
        view.state.field(marksField).between(at, at, (from, to, value) => {
          const mark = { ...(value.spec as { mark: EditorMark }).mark, from, to }
          if (!best || to - from < best.to - best.from) best = mark
        })
        if (best) onClick(best)
      },
    }),
  ]
}

export const setMarksEffect = (marks: EditorMark[]) => replaceMarks.of(marks)
