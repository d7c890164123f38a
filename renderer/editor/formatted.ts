import { Annotation, StateEffect, StateField, type ChangeDesc, type EditorState } from '@codemirror/state'

interface Stretch {
  from: number
  to: number
}

const moved = ({ from, to }: Stretch, changes: ChangeDesc): Stretch => ({
  from: changes.mapPos(from, -1),
  to: changes.mapPos(to, -1),
})

/** Somebody has just given marks to what is here, or ended or begun something that has them. */
export const formattedHere = StateEffect.define<Stretch>({ map: moved })

/** Whether all marks that a change has put somewhere mean something there. */
export const arePlaced = Annotation.define<boolean>()

const most = 100

/** Where the commands have been at work. */
export const formatted = StateField.define<readonly Stretch[]>({
  create: () => [],
  update(places, { changes, effects }) {
    const now = changes.empty ? places : places.map((place) => moved(place, changes))
    const came = effects.flatMap((effect) => (effect.is(formattedHere) ? [effect.value] : []))
    return came.length > 0 ? [...now, ...came].slice(-most) : now
  },
})

/** Where on a line that was before a place, the last first. */
export function formattedBefore(state: EditorState, line: Stretch, at: number): number[] {
  const places = state.field(formatted, false) ?? []
  const before = places.flatMap(({ from }) => (from >= line.from && from <= at ? [from] : []))
  return [...new Set(before)].sort((a, b) => b - a)
}
