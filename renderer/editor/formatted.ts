import {
  Annotation,
  MapMode,
  StateEffect,
  StateField,
  type ChangeDesc,
  type ChangeSet,
  type EditorState,
  type Transaction,
} from '@codemirror/state'

interface FormattedStretch {
  from: number
  to: number
}

const moved = ({ from, to }: FormattedStretch, changes: ChangeDesc): FormattedStretch => ({
  from: changes.mapPos(from, -1),
  to: changes.mapPos(to, -1),
})

/** Somebody has just given marks to what is here, or ended or begun something that has them. */
export const formattedHere = StateEffect.define<FormattedStretch>({ map: moved })

/** Whether all marks that a change has put somewhere mean something there. */
export const arePlaced = Annotation.define<boolean>()

const most = 100

/** Where the commands have been at work. */
export const formatted = StateField.define<readonly FormattedStretch[]>({
  create: () => [],
  update(places, { changes, effects }) {
    const now = changes.empty ? places : places.map((place) => moved(place, changes))
    const came = effects.flatMap((effect) => (effect.is(formattedHere) ? [effect.value] : []))
    return came.length > 0 ? [...now, ...came].slice(-most) : now
  },
})

/** Where on a line that was before a place, the last first. */
export function formattedBefore(state: EditorState, line: FormattedStretch, at: number): number[] {
  const places = state.field(formatted, false) ?? []
  const before = places.flatMap(({ from }) => (from >= line.from && from <= at ? [from] : []))
  return [...new Set(before)].sort((a, b) => b - a)
}

/** Where the commands, or what keeps their marks, have put signs of marks. */
const signsMade = StateEffect.define<readonly number[]>({ map: mappedSigns })

/** What says so of the changes that they make. */
export function signsIn(changes: ChangeSet): StateEffect<readonly number[]> {
  const signs: number[] = []
  changes.iterChanges((_fromA, _toA, from, _to, inserted) => {
    for (const { index } of inserted.toString().matchAll(/[*~]/g)) signs.push(from + index)
  })
  return signsMade.of(signs)
}

const mostSigns = 1_000

/** Where the signs of the commands’ marks are, one by one. What somebody has typed is not among them. */
export const commandSigns = StateField.define<readonly number[]>({ create: () => [], update: signsAfter })

export const commandSignsAfter = (transaction: Transaction): readonly number[] =>
  signsAfter(transaction.startState.field(commandSigns), transaction)

function signsAfter(signs: readonly number[], { changes, effects }: Transaction): readonly number[] {
  const left = changes.empty ? signs : mappedSigns(signs, changes)
  const came = effects.flatMap((effect) => (effect.is(signsMade) ? effect.value : []))
  if (came.length === 0) return left
  return [...new Set([...left, ...came])].slice(-mostSigns).sort((a, b) => a - b)
}

function mappedSigns(signs: readonly number[], changes: ChangeDesc): readonly number[] {
  return signs.flatMap((at) => changes.mapPos(at, 1, MapMode.TrackAfter) ?? [])
}
