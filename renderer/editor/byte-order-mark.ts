import { isolateHistory } from '@codemirror/commands'
import {
  EditorSelection,
  EditorState,
  Prec,
  Transaction,
  type AnnotationType,
  type ChangeSpec,
  type Extension,
  type SelectionRange,
  type TransactionSpec,
} from '@codemirror/state'
import { arePlaced } from './formatted.ts'
import { fromElsewhere } from './own-undo.ts'
import { isSuggested } from './suggesting/own-suggestions.ts'

const mark = '\uFEFF'

/**
 * Keeps a byte-order mark where the text begins with one: it isn’t seen, so nobody means to write before it or to take
 * it out, and anywhere else it is an invisible character within the words.
 */
export const keptByteOrderMark: Extension = Prec.lowest(
  EditorState.transactionFilter.of((transaction) => {
    const { startState, docChanged, newDoc, newSelection } = transaction
    // What the server has made of a text, and what steps go back to, the editor shows to the letter.
    const isToTheLetter =
      transaction.annotation(fromElsewhere) ||
      transaction.annotation(isSuggested) ||
      transaction.isUserEvent('undo') ||
      transaction.isUserEvent('redo')
    if (isToTheLetter || startState.doc.sliceString(0, 1) !== mark) return transaction
    const moved = docChanged ? behindMark(transaction) : undefined
    if (moved) return moved
    if (newDoc.sliceString(0, 1) !== mark || !(docChanged || transaction.selection)) return transaction
    if (newSelection.ranges.every(({ from }) => from > 0)) return transaction
    return [transaction, { selection: selectionAt(newSelection, (at) => Math.max(at, 1)), sequential: true }]
  }),
)

/** The same with what is done at the very beginning done behind the mark, if anything is. */
function behindMark(transaction: Transaction): TransactionSpec | undefined {
  const changes: ChangeSpec[] = []
  let placeOf: ((at: number) => number) | undefined
  transaction.changes.iterChanges((from, to, _fromB, toB, insert) => {
    // A text put in place of all with a mark of its own is as it should be.
    const isMarked = to > 0 && insert.sliceString(0, 1) === mark
    if (from > 0 || isMarked) return void changes.push({ from, to, insert })
    changes.push({ from: 1, to: Math.max(to, 1), insert })
    placeOf = (at) => (to > 0 || at <= toB ? at + 1 : at)
  })
  if (!placeOf) return undefined
  const { newSelection, effects, scrollIntoView } = transaction
  const known: AnnotationType<unknown>[] = [
    Transaction.userEvent,
    Transaction.addToHistory,
    isolateHistory,
    arePlaced,
  ] as AnnotationType<unknown>[]
  const annotations = known.flatMap((type) => {
    const value = transaction.annotation(type)
    return value === undefined ? [] : [type.of(value)]
  })
  return { changes, selection: selectionAt(newSelection, placeOf), effects, annotations, scrollIntoView }
}

function selectionAt(
  { ranges, mainIndex }: EditorSelection,
  placeOf: (at: number) => number,
): EditorSelection {
  const moved = ({ anchor, head }: SelectionRange) => EditorSelection.range(placeOf(anchor), placeOf(head))
  return EditorSelection.create(ranges.map(moved), mainIndex)
}
