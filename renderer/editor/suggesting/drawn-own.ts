import { Prec, type EditorState, type Extension, type Range } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import { Checkbox } from '../preview-widgets.ts'
import { keptMarks } from '../stray-marks.ts'
import { suggestedPlaces } from '../suggested-places.ts'
import { partedAt } from '../suggestion-drawing.ts'
import { isForSelected } from './keeping-here.ts'
import { composedOver } from './composing.ts'
import { apart, deleted, inserted, lineBreak, lineEnds, PlaceGone, struck } from './own-looks.ts'
import { isLineGone } from './own-line.ts'
import { ownSuggestions } from './own-suggestions.ts'
import { without, type Stretch, type Stretches } from './stretches.ts'
import { placedAnew } from './undo-keeping-here.ts'

/** The box of a task that is ticked by a suggestion, or unticked: where its brackets begin and end. */
function boxAt({ doc }: EditorState, stretch: Stretch, next: Stretch | undefined) {
  if (stretch.kind !== 'taken out' || next?.kind !== 'put in' || next.from !== stretch.to) return null
  const { from, text } = doc.lineAt(stretch.from)
  const at = stretch.from - from
  if (
    next.to - stretch.from !== 2 ||
    !mixedBox.test(text.slice(at - 1)) ||
    !itemOf.test(text.slice(0, at - 1))
  )
    return null
  return { from: stretch.from - 1, to: next.to + 1, isDone: text[at + 1] !== ' ' }
}
const mixedBox = /^\[[ xX]{2}\](?:\s|$)/
const itemOf = /^[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+$/

export function drawn(state: EditorState, keepHere: (key: number) => void): [DecorationSet, DecorationSet] {
  const hidden: Range<Decoration>[] = []
  const shown: Range<Decoration>[] = []
  const { detached, stretches } = state.field(ownSuggestions)
  const unseen = unseenOf(state, stretches)
  for (const { from, to } of unseen) hidden.push(hide.range(from, to))
  const ends = new Map(stretches.map(({ key, to }) => [key, to]))
  let end = 0
  let broken = -1
  for (const [i, stretch] of stretches.entries()) {
    const { from, to, kind, key } = stretch
    if (from < end) continue
    const box = boxAt(state, stretch, stretches[i + 1])
    if (box) {
      shown.push(inserted.range(box.from, box.to))
      shown.push(Decoration.replace({ widget: new Checkbox(box.isDone) }).range(box.from, box.to))
      end = box.to
      continue
    }
    const isApart = detached.has(key)
    const puts = kind === 'taken out' ? putByOthers(state, from, to) : []
    const mark = kind === 'taken out' ? deleted : isApart ? apart : inserted
    const next = stretches[i + 1]
    if (kind === 'taken out' && next?.kind === 'put in' && next.from === to)
      hideKept(state, hidden, stretch, next)
    for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
      const [start, end] = [Math.max(from, line.from), Math.min(to, line.to)]
      if (start < end)
        for (const part of partedAt(start, end, puts))
          for (const { from, to } of without([{ ...stretch, ...part }], unseen))
            shown.push(mark.range(from, to))
      if (to <= line.to) break
      shown.push(lineEnds[kind].range(line.to, line.to))
    }
    const lost = detached.get(key)
    if (!lost || ends.get(key) !== to) continue
    const widget = new PlaceGone(key, isForSelected(state, key), keepHere)
    shown.push(Decoration.widget({ widget, side: 2 }).range(to, to))
    if (!isLineGone(state.doc, stretch, lost)) continue
    // They are shown as a line of their own: the one that they stand in is a neighbour’s.
    if (from > state.doc.lineAt(from).from && from > broken) shown.push(lineBreak.before.range(from, from))
    if (to < state.doc.lineAt(to).to) shown.push(lineBreak.behind.range((broken = to), to))
  }
  // A note behind words may stand where others begin, which come before it: sorted, it can’t fail.
  return [Decoration.set(shown, true), Decoration.set(hidden, true)]
}

/**
 * The words in whose place something is composed aren’t seen, but for whole lines: browsers write line ends into a line
 * of which nothing is seen.
 */
function unseenOf(state: EditorState, stretches: Stretches): { from: number; to: number }[] {
  const { doc } = state
  const puts = stretches.filter(({ kind }) => kind === 'put in')
  return (state.field(composedOver, false) ?? []).flatMap(({ from: start, to: end }) => {
    const parts: { from: number; to: number }[] = []
    for (let line = doc.lineAt(start); ; line = doc.line(line.number + 1)) {
      const [from, to] = [Math.max(start, line.from), Math.min(end, line.to)]
      const whole: Stretch = { from: line.from, to: line.to, kind: 'taken out', key: 0 }
      if (from < to && without([whole], [{ from, to }, ...puts]).length > 0) parts.push({ from, to })
      if (end <= line.to) return parts
    }
  })
}

/** Where others put something in, which stays. */
const putByOthers = (state: EditorState, start: number, end: number): number[] =>
  state.facet(suggestedPlaces).flatMap((between) =>
    between(start, end)
      .filter(({ from, to }) => from === to)
      .map(({ from }) => from),
  )

/** Marks that go with these words and come back with those are seen only by whoever is at them. */
function hideKept(state: EditorState, hidden: Range<Decoration>[], taken: Stretch, put: Stretch): void {
  const { main } = state.selection
  const kept = keptMarks(state.sliceDoc(taken.from, taken.to), state.sliceDoc(put.from, put.to))
  const marks = [
    ...kept.removed.map((mark) => ({ from: taken.from + mark.from, to: taken.from + mark.to })),
    ...kept.added.map((mark) => ({ from: put.from + mark.from, to: put.from + mark.to })),
  ]
  for (const { from, to } of marks) if (main.to < from || main.from > to) hidden.push(hide.range(from, to))
}
const hide = Decoration.replace({})

interface Asked {
  onClick: (key: number) => void
  onKeepHere: (key: number) => void
}

/** Tells whoever doesn’t see the text that a place is gone. */
const told = EditorView.updateListener.of(({ startState, state, transactions, view }) => {
  const [before, now] = [startState.field(ownSuggestions).detached, state.field(ownSuggestions).detached]
  if (before === now || ![...now.keys()].some((key) => !before.has(key))) return
  if (placedAnew(transactions).length > 0) return
  view.dispatch({
    effects: EditorView.announce.of(
      'Somebody has taken out or written anew what you suggest something for. Your words are kept on their card.',
    ),
  })
})

/** Shows what one suggests oneself: what is put in underlined, what is taken out struck through. `onClick` is told which. */
export const drawnOwn = ({ onClick, onKeepHere }: Asked): Extension => [
  // Around all else that is drawn there, so that pictures stand in it, too.
  Prec.low(
    EditorView.decorations.computeN([ownSuggestions, composedOver, suggestedPlaces, 'selection'], (state) =>
      drawn(state, onKeepHere),
    ),
  ),
  suggestedPlaces.compute([ownSuggestions], (state) => {
    const { stretches } = state.field(ownSuggestions)
    return (start, end) =>
      stretches
        .filter(({ from, to }) => from <= end && to >= start)
        .map(({ from, to, kind }) =>
          kind === 'taken out' ? { from, to, isGone: true, struck } : { from, to, isGone: false },
        )
  }),
  told,
  EditorView.domEventHandlers({
    click(event, view) {
      if (!(event.target instanceof Element) || !event.target.closest('.g-own')) return
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
      const { stretches } = view.state.field(ownSuggestions)
      const clicked = stretches.find(({ from, to }) => from <= at && to >= at)
      if (clicked) onClick(clicked.key)
    },
  }),
]
