import { undoDepth } from '@codemirror/commands'
import {
  Annotation,
  Compartment,
  Facet,
  StateField,
  Transaction,
  type EditorState,
  type Extension,
  type StateCommand,
  type Text,
} from '@codemirror/state'
import { fromElsewhere } from './from-elsewhere.ts'
import { isByHistory, isTyped } from './own-steps.ts'

/*
 * Where others have taken back what they did, so that the very text stands again that stood before it, undo here is as if
 * they had never done it. What follows changes for its sake would follow both, and lose what the first took out: where
 * words stood in that, and what was put in there.
 */

/** What is kept for undo, as it was when a text stood. */
interface Then {
  doc: Text
  /** Texts that have stood with nothing since but what was typed, undone and redone here. */
  own: readonly Text[]
  kept: Extension
}

interface Stood {
  own: readonly Text[]
  /** Before each change that others have made since something was last done here. */
  others: readonly Then[]
  /** What stands again now, and isn’t put back yet. */
  again: Then | null
}

const mostOthers = 50
const mostOwn = 200
const nothing: Stood = { own: [], others: [], again: null }

const keeping = Facet.define<(state: EditorState) => Extension>()
const place = new Compartment()

/** Says of what comes from elsewhere that it met what was written here, which isn’t taken back with it. */
export const meets = Annotation.define<boolean>()

const stood = StateField.define<Stood>({
  create: () => nothing,
  update(value, transaction) {
    const { docChanged, newDoc, startState } = transaction
    if (transaction.annotation(meets) === true) return nothing
    if (!docChanged) return value
    if (isTyped(transaction)) {
      const isBetween = !isByHistory(transaction) && undoDepth(startState) === undoDepth(transaction.state)
      return { ...nothing, own: isBetween ? value.own : [...value.own, startState.doc].slice(-mostOwn) }
    }
    if (transaction.annotation(fromElsewhere) !== true) return nothing
    const kept = startState.facet(keeping).map((keep) => keep(startState))
    const others = [...value.others, { doc: startState.doc, own: value.own, kept }].slice(-mostOthers)
    const at = others.findLastIndex(({ doc }) => doc.eq(newDoc))
    return at < 0
      ? { own: [], others, again: null }
      : { own: [], others: others.slice(0, at), again: others[at]! }
  },
})

/** Whether what is typed, undone or redone leaves a text that has stood, and nothing else was done since. */
export const bringsBack = ({ startState, newDoc }: Transaction): boolean =>
  (startState.field(stood, false) ?? nothing).own.some((doc) => doc.eq(newDoc))

/** To be called after each change from elsewhere. */
export const putAsItWas: StateCommand = ({ state, dispatch }) => {
  const { others, again } = state.field(stood, false) ?? nothing
  if (!again) return false
  dispatch(
    state.update({
      effects: place.reconfigure([again.kept, stood.init(() => ({ own: again.own, others, again: null }))]),
      annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
    }),
  )
  return true
}

const putBack = place.of([])

/** Has a field be as it was once a text stands again that stood before what others have done. */
export const keepAsItWas = <Value>(field: StateField<Value>): Extension => [
  stood,
  putBack,
  keeping.of((state) => {
    const value = state.field(field)
    return field.init(() => value)
  }),
]
