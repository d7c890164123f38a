import { history } from '@codemirror/commands'
import { EditorState, Prec, type Extension, type Transaction, type TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { redoOwn, undoOwn } from '../own-undo.ts'
import { undoingBeside } from '../undo-beside.ts'
import { composing } from './composing.ts'
import { isFromElsewhere, isSuggested, ownSuggestions, undoableStrikes } from './own-suggestions.ts'
import { emptied } from './shown-suggestions.ts'
import { without } from './stretches.ts'
import { suggesting } from './suggesting-change.ts'
import { placedAnew, undoableKeeping } from './undo-keeping-here.ts'

/** Makes suggestions of what is typed. Asked last, of what the others have made of it. */
const suggest = EditorState.transactionFilter.of((transaction): Transaction | TransactionSpec => {
  const { changes, docChanged, effects, newSelection, startState } = transaction
  const isStep = transaction.isUserEvent('undo') || transaction.isUserEvent('redo')
  if (!docChanged || isStep || isFromElsewhere(transaction) || transaction.annotation(isSuggested))
    return transaction
  if (startState.field(ownSuggestions).isReading) return transaction
  return suggesting(startState, { changes, selection: newSelection, effects, transaction })
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

/**
 * Suggesting, but for how it looks; `onChange` is told when what is suggested has changed here, and of which its author
 * has changed the place, `onUndoStop` where undo
 * takes back nothing of what was done beside the text last.
 */
export function suggestingMode(
  onChange: (placed: readonly number[]) => void,
  onUndoStop: () => void = () => {},
): Extension {
  return [
    ownSuggestions,
    history(),
    undoableStrikes,
    undoableKeeping,
    undoingBeside(onUndoStop),
    Prec.highest(suggest),
    copied,
    browsersUndo,
    composing(),
    EditorView.updateListener.of(({ startState, state, transactions, view }) => {
      if (startState.field(ownSuggestions) === state.field(ownSuggestions)) return
      const placed = placedAnew(transactions)
      if (placed.length === 0 && transactions.every(isFromElsewhere)) return
      const spec = view.composing ? null : emptied(state)
      if (spec) view.dispatch(spec)
      onChange(placed)
    }),
  ]
}
