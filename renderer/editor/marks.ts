import {
  ChangeSet,
  MapMode,
  Prec,
  StateEffect,
  StateField,
  type ChangeDesc,
  type EditorState,
  type Extension,
  type Range,
  type Text,
} from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet, type ViewUpdate } from '@codemirror/view'
import { wordBeside } from '../../server/domain/anchors/insertion-place.ts'
import type { TextMark } from './document-session.ts'
import { colourOf } from '../ui/person-colour.ts'
import { suggestedPlaces, type StruckLook, type SuggestedPlace } from './suggested-places.ts'
import { suggestionParts, type EditorPiece, type EditorSuggestion } from './suggestion-drawing.ts'

/** A comment’s or suggestion’s place, in the editor’s own offsets; an empty one is where something is to be put in. */
export interface EditorMark {
  id: string
  kind: 'comment' | 'suggestion'
  from: number
  to: number
  active: boolean
  suggestion?: EditorSuggestion
}

const replaceMarks = StateEffect.define<EditorMark[]>()
/** Which of those that are drawn is looked at; they stay where they stand by now. */
const activateMark = StateEffect.define<string | null>()

interface Drawn {
  marks: readonly EditorMark[]
  /** How the text has changed since they stood there. */
  since: ChangeDesc
  /** Their places, what their suggestions take out within, and what they put in: drawn once, from there on moved with the text. */
  whole: DecorationSet
  parts: DecorationSet
  puts: DecorationSet
  /** How words look that they give another format. */
  formats: DecorationSet
  /** The pieces that the cursor lets be seen. */
  touched: string
}

type Suggesting = EditorMark & { suggestion: EditorSuggestion }
const isDrawn = (mark: EditorMark): mark is Suggesting =>
  mark.suggestion !== undefined && mark.suggestion.shown !== 'original'

const isTouchedIn =
  ({ selection }: EditorState) =>
  ({ from, to }: EditorPiece) =>
    selection.ranges.some((range) => range.from <= to && range.to >= from)

/** Which of the words that are hidden as if they were gone the cursor is at: there one sees what one changes. */
function touchedIn(marks: readonly EditorMark[], state: EditorState): string {
  const hiding = marks.filter((mark) => mark.suggestion?.shown === 'result')
  if (hiding.length === 0) return ''
  const isTouched = isTouchedIn(state)
  return hiding
    .flatMap(({ id, suggestion }) =>
      suggestion!.pieces.flatMap((piece, i) => (isTouched(piece) ? [`${id} ${i}`] : [])),
    )
    .join()
}

function draw(marks: readonly EditorMark[], state: EditorState): Drawn {
  const { doc } = state
  const within = marks.filter(({ from, to }) => from <= to && to <= doc.length)
  const { parts, puts, formats, covered } = suggestionParts(within.filter(isDrawn), doc, isTouchedIn(state))
  const whole = within.flatMap((mark): Range<Decoration>[] => {
    const place = mark.from < mark.to ? mark : isDrawn(mark) ? null : besidePlace(doc, mark.from)
    return place ? [wholeMark(mark, covered.has(mark.id)).range(place.from, place.to)] : []
  })
  return {
    marks: within,
    since: ChangeSet.empty(doc.length).desc,
    whole: Decoration.set(whole, true),
    parts: Decoration.set(parts, true),
    puts: Decoration.set(puts, true),
    formats: Decoration.set(formats, true),
    touched: touchedIn(within, state),
  }
}

function wholeMark(mark: EditorMark, isCovered: boolean): Decoration {
  const drawn = isDrawn(mark) ? ` g-mark-drawn ${colourOf(mark.suggestion.colour)}` : ''
  const state = `${mark.active ? ' g-mark-active' : ''}${isCovered ? ' g-mark-covered' : ''}`
  return Decoration.mark({
    class: `g-mark g-mark-${mark.kind}${drawn}${state}`,
    attributes: { 'data-mark': mark.id },
    mark,
  })
}

/** The marks where they stand by now, without those whose words are gone. */
function placed({ marks, since }: Drawn): EditorMark[] {
  if (since.empty) return [...marks]
  return marks.flatMap((mark): EditorMark[] => {
    const { suggestion } = mark
    const place = placeSince(mark, since)
    if (!place) return []
    const pieces = suggestion?.pieces.flatMap((piece) => pieceSince(piece, since) ?? [])
    return [{ ...mark, ...place, ...(suggestion && pieces ? { suggestion: { ...suggestion, pieces } } : {}) }]
  })
}

function placeSince({ from, to }: { from: number; to: number }, since: ChangeDesc) {
  if (from === to) {
    const at = since.mapPos(from, -1, MapMode.TrackDel)
    return at === null ? null : { from: at, to: at }
  }
  const now = { from: since.mapPos(from, 1), to: since.mapPos(to, -1) }
  return now.from < now.to ? now : null
}

function pieceSince({ from, to, at, insert, side = -1 }: EditorPiece, since: ChangeDesc): EditorPiece | null {
  const puts = since.mapPos(at, side, MapMode.TrackDel)
  const takes = from < to ? placeSince({ from, to }, since) : null
  const isPut = insert !== '' && puts !== null
  if (!takes && !isPut) return null
  const place = takes ?? { from: puts!, to: puts! }
  return { ...place, at: puts ?? place.to, insert: isPut ? insert : '', side }
}

const marksField = StateField.define<Drawn>({
  create: (state) => draw([], state),
  update(before, { docChanged, changes, effects, selection, state }) {
    let drawn = before
    if (docChanged)
      drawn = {
        ...drawn,
        since: drawn.since.composeDesc(changes),
        whole: drawn.whole.map(changes),
        parts: drawn.parts.map(changes),
        puts: drawn.puts.map(changes),
        formats: drawn.formats.map(changes),
      }
    for (const effect of effects) {
      if (effect.is(replaceMarks)) drawn = draw(effect.value, state)
      else if (effect.is(activateMark))
        drawn = draw(
          placed(drawn).map((mark) => ({ ...mark, active: mark.id === effect.value })),
          state,
        )
    }
    const hides = drawn.marks.some(({ suggestion }) => suggestion?.shown === 'result')
    if (hides && (docChanged || selection)) {
      const now = placed(drawn)
      if (touchedIn(now, state) !== drawn.touched) drawn = draw(now, state)
    }
    return drawn
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ whole }) => whole),
    EditorView.decorations.from(field, ({ parts }) => parts),
    EditorView.decorations.from(field, ({ formats }) => formats),
    // Before what words look like, so that this is around what is put in among them, too.
    Prec.high(EditorView.decorations.from(field, ({ puts }) => puts)),
    suggestedPlaces.from(field, ({ parts, puts }) => placesOf([parts, puts])),
  ],
})

/** The passage that is looked at, or was last; it stays the same when what is said of it is settled, and goes. */
const lookedAt = StateField.define<{ from: number; to: number } | null>({
  create: () => null,
  update(before, { docChanged, changes, effects, state }) {
    const now =
      before && docChanged
        ? { from: changes.mapPos(before.from, -1), to: changes.mapPos(before.to, 1) }
        : before
    if (!effects.some((effect) => effect.is(replaceMarks) || effect.is(activateMark))) return now
    const active = state.field(marksField).marks.find((mark) => mark.active)
    return active ? { from: active.from, to: active.to } : now
  },
})

export const passageLookedAt = (state: EditorState) => state.field(lookedAt)

/** Where parts of suggestions are drawn, on the text as it is without them. */
const placesOf = (sets: readonly DecorationSet[]) => (start: number, end: number) => {
  const places: SuggestedPlace[] = []
  for (const set of sets)
    set.between(start, end, (from, to, { spec }) => {
      const { tagName, ...look } = spec as Partial<StruckLook>
      const struck = tagName === undefined ? {} : { struck: { tagName, ...look } as StruckLook }
      places.push({ from, to, isGone: false, ...struck })
    })
  return places
}

/** Draws marks on the text, which follow its changes, and tells which one was clicked: the shortest where they overlap, then the next. */
export function markLayer(onClick: (mark: Pick<EditorMark, 'id' | 'kind'>) => void): Extension {
  return [
    marksField,
    lookedAt,
    EditorView.domEventHandlers({
      click(event, view) {
        if (!(event.target instanceof Element)) return
        const { suggestion } =
          event.target.closest<HTMLElement>('.g-beside, .g-taken:has(> .md-picture, > .md-image-chip)')
            ?.dataset ?? {}
        if (suggestion !== undefined) return onClick({ id: suggestion, kind: 'suggestion' })
        if (!event.target.closest('.g-mark')) return
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY }, false)
        const there: EditorMark[] = []
        view.state.field(marksField).whole.between(at, at, (from, to, value) => {
          there.push({ ...(value.spec as { mark: EditorMark }).mark, from, to })
        })
        // The shortest first; a further press on the same words goes on to what lies below.
        there.sort((a, b) => a.to - a.from - (b.to - b.from))
        const next = there[(there.findIndex(({ active }) => active) + 1) % there.length]
        if (next) onClick(next)
      },
    }),
  ]
}

export const setMarksEffect = (marks: EditorMark[]) => replaceMarks.of(marks)
export const activateMarkEffect = (id: string | null) => activateMark.of(id)

/** Whether a change has written where a suggestion is drawn to put something in: on which side of it is told apart from here. */
export function writesAtInsertion(state: EditorState, changes: ChangeDesc): boolean {
  const { parts, puts } = state.field(marksField)
  let writes = false
  changes.iterChangedRanges((_fromA, _toA, fromB, toB) => {
    for (const set of [parts, puts])
      set.between(fromB, toB, (from, to) => {
        writes ||= from === to
      })
  })
  return writes
}

/** The suggestions right at whose words a change writes, or joins others to them, while it is drawn what they make of these. */
export function writtenBeside(before: EditorState, changes: ChangeDesc): string[] {
  const drawn = placed(before.field(marksField)).filter((one) => isDrawn(one) && one.from < one.to)
  if (drawn.length === 0) return []
  const ids = new Set<string>()
  changes.iterChangedRanges((fromA, toA) => {
    for (const { id, from, to } of drawn) if (fromA === to || toA === from) ids.add(id)
  }, true)
  return [...ids]
}

/** Whether others are drawn now, or another is looked at. */
export const marksChanged = ({ transactions }: ViewUpdate): boolean =>
  transactions.some(({ effects }) => effects.some((one) => one.is(replaceMarks) || one.is(activateMark)))

export const hasMarks = (state: EditorState): boolean => state.field(marksField).marks.length > 0

/** Those that are drawn, where they stand by now, by id: without those whose words are gone. */
export const drawnMarks = (state: EditorState): ReadonlyMap<string, EditorMark> =>
  new Map(placed(state.field(marksField)).map((mark) => [mark.id, mark]))

/** So much of the text around an empty place may show it. */
const around = 200

/** What shows a place of no words, where something is to be put in; null where there is nothing around it. */
function besidePlace(text: Text, at: number): { from: number; to: number } | null {
  const from = Math.max(0, at - around)
  const place = { start: at - from, end: at - from }
  const word = wordBeside(text.sliceString(from, at + around), place)
  return word && { from: from + word.start, to: from + word.end }
}

/** Whether these are the same marks at the same places, and suggest the same, whichever is looked at. */
export const areSamePlaces = (some: readonly TextMark[], others: readonly TextMark[]): boolean =>
  some.length === others.length &&
  some.every(({ id, kind, revision, suggestion, range: { start, end } }, i) => {
    const other = others[i]!
    const isSame = id === other.id && kind === other.kind && revision === other.revision
    if (suggestion !== other.suggestion) return false
    return isSame && start === other.range.start && end === other.range.end
  })
