import { StateEffect, StateField, type ChangeDesc } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import type { Arriving } from './arriving.ts'
import { ArrivingWidget, type ArrivingActs } from './arriving-widget.ts'

/** A file on its way, and where in the text it will stand: in place of the words up to `to`. */
export interface ArrivingPlace {
  at: number
  to: number
  arriving: Arriving
}

export const arrive = StateEffect.define<{ at: number; to: number; files: readonly Arriving[] }>({
  map: (place, changes) => ({ ...place, ...mapped(place, changes) }),
})
/** One is no longer on its way; those that wait behind it where it stood go on behind what was put in for it. */
export const leave = StateEffect.define<{ gone: Arriving; behind?: number }>()

/** Words that were changed meanwhile are another’s, and stay. */
function mapped({ at, to }: { at: number; to: number }, changes: ChangeDesc): { at: number; to: number } {
  const start = changes.mapPos(at, -1)
  if (at === to) return { at: start, to: start }
  // What is typed right before them moves what takes their place, so that it stands where they stand.
  const from = changes.mapPos(at, 1)
  const end = changes.mapPos(to, -1)
  return end - from === to - at && !changes.touchesRange(at + 1, to - 1)
    ? { at: from, to: end }
    : { at: end, to: end }
}

/** In the order they will stand. What is typed at a place goes behind it. */
export const underWay = StateField.define<readonly ArrivingPlace[]>({
  create: () => [],
  update(places, { changes, effects }) {
    let now =
      changes.empty || places.length === 0
        ? places
        : places.map((one) => ({ ...one, ...mapped(one, changes) }))
    for (const effect of effects) {
      if (effect.is(arrive)) {
        const { at, to, files } = effect.value
        const added = files.map((arriving, i) => ({ at, to: i === 0 ? to : at, arriving }))
        now = [...now.filter((one) => one.at <= at), ...added, ...now.filter((one) => one.at > at)]
      }
      if (effect.is(leave)) now = without(now, effect.value)
    }
    return now
  },
})

function without(places: readonly ArrivingPlace[], { gone, behind }: { gone: Arriving; behind?: number }) {
  const index = places.findIndex(({ arriving }) => arriving === gone)
  const place = places[index]
  if (!place) return places
  return places.toSpliced(index, 1).map((one, i) => {
    const waits = behind !== undefined && i >= index && one.at === place.at
    return waits ? { ...one, at: behind, to: behind } : one
  })
}

/** They are seen in the view only. */
export const seenUnderWay = (acts: ArrivingActs) =>
  EditorView.decorations.compute([underWay], (state) => drawn(state.field(underWay), acts))

const replaced = Decoration.mark({ class: 'md-replaced' })

function drawn(places: readonly ArrivingPlace[], acts: ArrivingActs): DecorationSet {
  const shown = places.flatMap(({ at, to, arriving }) => [
    Decoration.widget({ widget: new ArrivingWidget(arriving, acts), side: -1 }).range(at),
    ...(to > at ? [replaced.range(at, to)] : []),
  ])
  return Decoration.set(shown, true)
}

export const placeOf = ({ state }: EditorView, arriving: Arriving): ArrivingPlace | null =>
  state.field(underWay).find((one) => one.arriving === arriving) ?? null
