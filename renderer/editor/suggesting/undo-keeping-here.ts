import { isolateHistory, redoDepth, undoDepth } from '@codemirror/commands'
import {
  ChangeSet,
  EditorSelection,
  StateEffect,
  StateField,
  Transaction,
  type ChangeDesc,
  type EditorState,
  type Extension,
  type StateCommand,
  type TransactionSpec,
} from '@codemirror/state'
import { fromElsewhere } from '../own-undo.ts'
import { otherSteps } from '../undo-beside.ts'
import { placedHere } from './keeping-here.ts'
import { become, isSuggested, keyed, movedSent, ownSuggestions, type Detached } from './own-suggestions.ts'
import { moved, tidied } from './stretches.ts'

/** That words which had lost their place were suggested for where they stood: as they stood apart before. */
interface Step {
  key: number
  at: number
  words: string
  detached: Detached
  selected: { from: number; to: number }
  /** How many steps in the text can be undone, or once it is undone itself redone, before it is its turn. */
  depth: number
}

const done = StateEffect.define<Step>()
const undone = StateEffect.define<Step>()

interface Steps {
  done: readonly Step[]
  undone: readonly Step[]
}

/** Of the history of the text it is none, since that may not change with it. */
const steps = StateField.define<Steps>({
  create: () => ({ done: [], undone: [] }),
  update(value, transaction) {
    let now = value
    // What is typed anew leaves nothing to be done again.
    if (transaction.annotation(isSuggested)) now = { done: now.done, undone: [] }
    for (const effect of transaction.effects) {
      if (effect.is(done))
        now = {
          done: [...now.done, effect.value],
          undone: now.undone.filter(({ key }) => key !== effect.value.key),
        }
      if (effect.is(undone))
        now = {
          done: now.done.filter(({ key }) => key !== effect.value.key),
          undone: [...now.undone, effect.value],
        }
    }
    const { changes } = transaction
    if (changes.empty || now.done.length + now.undone.length === 0) return now
    const follow = (all: readonly Step[]) => all.map((one) => followed(one, changes))
    return { done: follow(now.done), undone: follow(now.undone) }
  },
})

const followed = (step: Step, changes: ChangeDesc): Step => {
  const from = changes.mapPos(step.selected.from, 1)
  const to = Math.max(from, changes.mapPos(step.selected.to, -1))
  return { ...step, at: changes.mapPos(step.at, -1), selected: { from, to } }
}

/** Which suggestions transactions have put elsewhere, as their author wants it. */
export const placedAnew = (transactions: readonly Transaction[]): number[] =>
  transactions.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.is(done) || effect.is(undone) ? [effect.value.key] : [])),
  )

/** What suggests words that have lost their place for where they stand now, which undo takes back. */
export function keepingHere(state: EditorState, key: number): TransactionSpec {
  const { detached, stretches } = state.field(ownSuggestions)
  const [apart, own] = [detached.get(key), keyed(stretches, key)]
  const { from, to } = state.selection.main
  const spec = placedHere(state, key, { from, to })
  if (!apart || !own[0]) return spec
  const words = own.map((one) => state.sliceDoc(one.from, one.to)).join('')
  return doing(state, spec, { key, at: own[0].from, words, detached: apart, selected: { from, to } })
}

function doing(state: EditorState, spec: TransactionSpec, step: Omit<Step, 'depth'>): TransactionSpec {
  // Those in which the words were typed may go with these.
  const depth = undoDepth(state.update(annotated(spec)).state)
  return annotated(spec, done.of({ ...step, depth }))
}

const annotated = (spec: TransactionSpec, ...effects: StateEffect<Step>[]): TransactionSpec => ({
  ...spec,
  effects: [spec.effects ?? [], effects].flat(2),
  annotations: [
    fromElsewhere.of(true),
    Transaction.addToHistory.of(false),
    // What is typed from here on isn’t one step with what was typed before.
    isolateHistory.of('full'),
  ],
})

const undo: StateCommand = ({ state, dispatch }) => {
  const own = state.field(ownSuggestions, false)
  const last = state.field(steps, false)?.done.at(-1)
  if (!own || !last || undoDepth(state) > last.depth) return false
  // It may have been decided or withdrawn since.
  if (own.detached.has(last.key) || keyed(own.stretches, last.key).length === 0) return false
  const depth = redoDepth(state)
  dispatch(state.update(annotated(apartAgain(state, last), undone.of({ ...last, depth }))))
  return true
}

const redo: StateCommand = ({ state, dispatch }) => {
  const own = state.field(ownSuggestions, false)
  const next = state.field(steps, false)?.undone.at(-1)
  if (!own?.detached.has(next?.key ?? 0) || !next || redoDepth(state) > next.depth) return false
  dispatch(state.update(doing(state, placedHere(state, next.key, next.selected), next)))
  return true
}

/** Has the words stand apart where they did. */
function apartAgain(state: EditorState, { key, at, words, detached, selected }: Step): TransactionSpec {
  const own = state.field(ownSuggestions)
  const known = new Map([...own.detached, [key, detached]])
  const stands = keyed(own.stretches, key)
  if (stands.length === 1 && stands[0]!.from === at && state.sliceDoc(at, stands[0]!.to) === words)
    return { effects: become.of({ ...own, detached: known }) }
  const cleaning = ChangeSet.of(
    stands.filter(({ kind }) => kind === 'put in'),
    state.doc.length,
  )
  const others = moved(
    own.stretches.filter((stretch) => stretch.key !== key),
    cleaning,
  )
  const from = cleaning.mapPos(at, -1)
  const putting = ChangeSet.of({ from, insert: words }, cleaning.newLength)
  const changes = cleaning.compose(putting)
  const apart = { from, to: from + words.length, kind: 'put in' as const, key }
  const sent = own.sent.filter((one) => one.key !== key)
  return {
    changes,
    selection: EditorSelection.range(changes.mapPos(selected.from, 1), changes.mapPos(selected.to, 1)),
    effects: become.of({
      ...own,
      stretches: tidied([...moved(others, putting), apart]),
      detached: known,
      sent: movedSent(sent, changes),
    }),
    scrollIntoView: true,
  }
}

export const undoableKeeping: Extension = [steps, otherSteps.of({ undo, redo })]
