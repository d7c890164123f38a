import {
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
  type Range,
  type Text,
} from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
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

/** Where a mark stands by now; undefined where its words are gone. */
export const findMark = (state: EditorState, id: string): EditorMark | undefined =>
  placedIn(state.field(marksField)).find((mark) => mark.id === id)

/** Whether these are the same marks at the same places, whichever is looked at. */
/** So far around a place words are looked for that don’t stand there. */
const around = 300

/**
 * Where words stand of which a place was told. While others write, that may be a place in a text just before or after this
 * one; then the same words are near by. Words that have changed since they were told of stay where they were said to be.
 */
export function placeOfWords(text: Text, { from, to }: { from: number; to: number }, words: string) {
  const told = { from, to }
  if (words === '' || text.sliceString(from, to) === words) return told
  const start = Math.max(0, from - around)
  const near = text.sliceString(start, Math.min(text.length, to + around))
  let best = -1
  for (let at = near.indexOf(words); at >= 0; at = near.indexOf(words, at + 1))
    if (best < 0 || Math.abs(start + at - from) < Math.abs(start + best - from)) best = at
  return best < 0 ? told : { from: start + best, to: start + best + words.length }
}

export const areSamePlaces = (some: readonly TextMark[], others: readonly TextMark[]): boolean =>
  some.length === others.length &&
  some.every(({ id, kind, range: { start, end } }, i) => {
    const other = others[i]!
    return id === other.id && kind === other.kind && start === other.range.start && end === other.range.end
  })
