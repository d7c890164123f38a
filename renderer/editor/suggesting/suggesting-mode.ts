import { history, invertedEffects } from '@codemirror/commands'
import {
  ChangeSet,
  EditorSelection,
  EditorState,
  Prec,
  StateEffect,
  Transaction,
  type Extension,
  type TransactionSpec,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { redoOwn, undoOwn } from '../own-undo.ts'
import { isFromElsewhere, isSuggested, leaveIn, ownSuggestions, takeOut } from './own-suggestions.ts'
import { emptied } from './shown-suggestions.ts'
import { moved, without, type Stretch } from './stretches.ts'
import { suggestedChange, type Way } from './typed.ts'

/** Undo takes back what was taken out, and redo takes it out again. */
const undoable = invertedEffects.of((transaction) =>
  transaction.effects.flatMap((effect) => {
    if (effect.is(takeOut)) return leaveIn.of(moved(effect.value, transaction.changes))
    if (effect.is(leaveIn)) return takeOut.of(moved(effect.value, transaction.changes))
    return []
  }),
)

function wayOf(transaction: Transaction): Way {
  if (transaction.isUserEvent('delete.backward')) return 'back'
  if (transaction.isUserEvent('delete.forward')) return 'forth'
  const { main } = transaction.startState.selection
  return transaction.isUserEvent('delete') && main.empty ? 'back' : null
}

/** Makes suggestions of what is typed. Asked last, of what the others have made of it. */
const suggest = EditorState.transactionFilter.of((transaction): Transaction | TransactionSpec => {
  const { changes, docChanged, effects, newSelection, startState } = transaction
  const isStep = transaction.isUserEvent('undo') || transaction.isUserEvent('redo')
  if (!docChanged || isStep || isFromElsewhere(transaction) || transaction.annotation(isSuggested))
    return transaction
  const { stretches } = startState.field(ownSuggestions)
  const isComposed = transaction.isUserEvent('input.type.compose')
  const made = suggestedChange(startState.doc, stretches, changes, wayOf(transaction), isComposed)
  const stays = ChangeSet.of(made.stays, transaction.newDoc.length)
  const makes = ChangeSet.of(made.changes, startState.doc.length)
  const puts = made.changes.length > 0 && makes.newLength > startState.doc.length
  const side = puts || transaction.isUserEvent('delete.forward') ? 1 : -1
  const selection =
    made.cursor === null
      ? newSelection.map(stays, side)
      : EditorSelection.single(makes.mapPos(made.cursor, side))
  const userEvent = transaction.annotation(Transaction.userEvent)
  const taken = made.takenOut.map((range): Stretch => ({ ...range, kind: 'taken out', key: 0 }))
  const isReplacing = transaction.isUserEvent('input.replace.all')
  return {
    changes: makes,
    selection,
    effects: [...StateEffect.mapEffects(effects, stays), ...(taken.length > 0 ? [takeOut.of(taken)] : [])],
    annotations: [
      isSuggested.of({ isOnePassage: !isReplacing }),
      ...(userEvent === undefined ? [] : [Transaction.userEvent.of(userEvent)]),
    ],
    scrollIntoView: transaction.scrollIntoView,
  }
})

/** What is copied reads as it is suggested. */
const copied = EditorView.clipboardOutputFilter.of((text, state) => {
  const taken = state.field(ownSuggestions).stretches.filter(({ kind }) => kind === 'taken out')
  const { ranges } = state.selection
  if (ranges.every(({ empty }) => empty)) return text
  return ranges
    .map(({ from, to }) => without([{ from, to, kind: 'put in', key: 0 }], taken))
    .map((parts) => parts.map((part) => state.sliceDoc(part.from, part.to)).join(''))
    .join(state.lineBreak)
})

const browsersUndo = Prec.high(
  EditorView.domEventHandlers({
    beforeinput(event, view) {
      if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return false
      event.preventDefault()
      return event.inputType === 'historyUndo' ? undoOwn(view) : redoOwn(view)
    },
  }),
)

/** Suggesting, but for how it looks; `onChange` is told when what is suggested has changed here. */
export function suggestingMode(onChange: () => void): Extension {
  return [
    ownSuggestions,
    history(),
    undoable,
    Prec.highest(suggest),
    copied,
    browsersUndo,
    EditorView.updateListener.of(({ startState, state, transactions, view }) => {
      if (startState.field(ownSuggestions) === state.field(ownSuggestions)) return
      if (transactions.every(isFromElsewhere)) return
      const spec = view.composing ? null : emptied(state)
      if (spec) view.dispatch(spec)
      onChange()
    }),
  ]
}
