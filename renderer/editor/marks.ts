import {
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
  type Range,
  type Text,
} from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import { wordBeside } from '../../server/domain/anchors/insertion-place.ts'
import type { TextMark } from './document-session.ts'

/** A comment’s or suggestion’s place, in the editor’s own offsets. */
export interface EditorMark {
  id: string
  kind: 'comment' | 'suggestion'
  from: number
  to: number
  active: boolean
}

const replaceMarks = StateEffect.define<EditorMark[]>()
/** Which of those that are drawn is looked at; they stay where they stand by now. */
const activateMark = StateEffect.define<string | null>()

const decoration = (mark: EditorMark): Range<Decoration> =>
  Decoration.mark({
    class: `g-mark g-mark-${mark.kind}${mark.active ? ' g-mark-active' : ''}`,
    attributes: { 'data-mark': mark.id },
    mark,
  }).range(mark.from, mark.to)

const drawn = (marks: readonly EditorMark[], length: number): DecorationSet =>
  Decoration.set(marks.filter(({ from, to }) => from < to && to <= length).map(decoration), true)

/** The marks where they stand by now. */
function placedIn(set: DecorationSet): EditorMark[] {
  const placed: EditorMark[] = []
  for (const at = set.iter(); at.value; at.next()) {
    const { mark } = at.value.spec as { mark: EditorMark }
    placed.push({ ...mark, from: at.from, to: at.to })
  }
  return placed
}

const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    let marks = set.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(replaceMarks)) marks = drawn(effect.value, transaction.state.doc.length)
      else if (effect.is(activateMark)) {
        const now = placedIn(marks).map((mark) => ({ ...mark, active: mark.id === effect.value }))
        marks = drawn(now, transaction.state.doc.length)
      }
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
export const activateMarkEffect = (id: string | null) => activateMark.of(id)

/** Those that are drawn, where they stand by now, by id: without those whose words are gone. */
export const drawnMarks = (state: EditorState): ReadonlyMap<string, EditorMark> =>
  new Map(placedIn(state.field(marksField)).map((mark) => [mark.id, mark]))

/** So much of the text around an empty place may show it. */
const around = 200

/** What shows a place of no words, where something is to be put in; null where there is nothing around it. */
export function besidePlace(text: Text, at: number): { from: number; to: number } | null {
  const from = Math.max(0, at - around)
  const place = { start: at - from, end: at - from }
  const word = wordBeside(text.sliceString(from, at + around), place)
  return word && { from: from + word.start, to: from + word.end }
}

/** Whether these are the same marks at the same places, whichever is looked at. */
export const areSamePlaces = (some: readonly TextMark[], others: readonly TextMark[]): boolean =>
  some.length === others.length &&
  some.every(({ id, kind, revision, range: { start, end } }, i) => {
    const other = others[i]!
    const isSame = id === other.id && kind === other.kind && revision === other.revision
    return isSame && start === other.range.start && end === other.range.end
  })
