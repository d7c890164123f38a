import { redoDepth, undoDepth } from '@codemirror/commands'
import {
  Facet,
  StateEffect,
  StateField,
  Transaction,
  type EditorState,
  type StateCommand,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { turnable, woven } from './weave/history.ts'

/** What undo in the text does about what was done beside it, which has an undo of its own: decisions, versions. */

/** The writer has just done something beside the text that changed it. */
export const stopUndo = StateEffect.define<null>()
const goOn = StateEffect.define<null>()

/** Whether what was done last was done beside the text, which undo takes nothing of. */
const stops = StateField.define<boolean>({
  create: () => false,
  update(value, transaction) {
    let now = value
    for (const effect of transaction.effects) {
      if (effect.is(stopUndo)) now = true
      else if (effect.is(goOn)) now = false
    }
    const isTyped = transaction.docChanged && transaction.annotation(Transaction.addToHistory) !== false
    return now && !isTyped
  },
})

/** After something done beside the text it only says so, and goes on with what was typed when it is asked again. */
export const undoBeside: StateCommand = ({ state, dispatch }) => {
  if (!state.field(stops, false)) return false
  dispatch(state.update({ effects: goOn.of(null) }))
  return true
}

/** `onStop` is called where the writer might expect that undo takes back what was done beside the text. */
export const undoingBeside = (onStop: () => void) => [
  stops,
  EditorView.updateListener.of(({ transactions }) => {
    if (transactions.some(({ effects }) => effects.some((effect) => effect.is(goOn)))) onStop()
  }),
]

/** Of what is taken back with the text, but isn’t in its history; false where something else was done after it. */
export const otherSteps = Facet.define<{ undo: StateCommand; redo: StateCommand }>()

export const undoOther: StateCommand = (target) =>
  target.state.facet(otherSteps).some(({ undo }) => undo(target))

export const redoOther: StateCommand = (target) =>
  target.state.facet(otherSteps).some(({ redo }) => redo(target))

/** Which of undo and redo would do something. */
export interface Undoable {
  undo: boolean
  redo: boolean
}

function undoableIn(state: EditorState): Undoable {
  const history = state.field(woven, false)
  const inText = history ? turnable(history) : { undo: undoDepth(state) > 0, redo: redoDepth(state) > 0 }
  return { undo: canDo(undoOther, state) || inText.undo, redo: canDo(redoOther, state) || inText.redo }
}

const canDo = (command: StateCommand, state: EditorState) => command({ state, dispatch: () => {} })

/** Tells what undo and redo would do. */
export class FollowedUndo {
  readonly #followers = new Set<(now: Undoable) => void>()
  #now: Undoable = { undo: false, redo: false }

  readonly extension = EditorView.updateListener.of(({ state }) => this.#look(state))

  follow(state: EditorState, listener: (now: Undoable) => void): () => void {
    this.#look(state)
    this.#followers.add(listener)
    listener(this.#now)
    return () => this.#followers.delete(listener)
  }

  #look(state: EditorState): void {
    const now = undoableIn(state)
    if (now.undo === this.#now.undo && now.redo === this.#now.redo) return
    this.#now = now
    for (const listener of this.#followers) listener(now)
  }
}
