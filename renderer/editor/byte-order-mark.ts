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
  type Text,
  type TransactionSpec,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { arePlaced } from './formatted.ts'
import { fromElsewhere } from './own-undo.ts'
import { isSuggested } from './suggesting/own-suggestions.ts'

const mark = '\uFEFF'

/**
 * Keeps a byte-order mark where the text begins with one: it isn’t seen, so nobody means to write before it or to take
 * it out, and anywhere else it is an invisible character within the words. So lines that are moved or copied leave it where it is.
 */
export const keptByteOrderMark: Extension = [
  EditorView.clipboardOutputFilter.of((text, { doc }) => (isMarked(doc) ? unmarked(text) : text)),
  Prec.lowest(
    EditorState.transactionFilter.of((transaction) => {
      const { startState, docChanged, newDoc, newSelection } = transaction
      // What the server has made of a text, and what steps go back to, the editor shows to the letter.
      const isToTheLetter =
        transaction.annotation(fromElsewhere) ||
        transaction.annotation(isSuggested) ||
        transaction.isUserEvent('undo') ||
        transaction.isUserEvent('redo')
      if (isToTheLetter || !isMarked(startState.doc)) return transaction
      const moved = docChanged ? behindMark(transaction) : undefined
      if (moved) return moved
      if (!isMarked(newDoc) || !(docChanged || transaction.selection)) return transaction
      if (newSelection.ranges.every(({ from }) => from > 0)) return transaction
      return [
        transaction,
        { selection: selectionAt(newSelection, (at) => Math.max(at, 1)), sequential: true },
      ]
    }),
  ),
]

const isMarked = (text: Text) => text.sliceString(0, 1) === mark

const unmarked = (text: string) => text.replace(/^\uFEFF+/gm, '')

/** The same with what is done at the very beginning done behind the mark, and without other marks, if there are any. */
function behindMark(transaction: Transaction): TransactionSpec | undefined {
  const changes: ChangeSpec[] = []
  let behind = (at: number) => at
  let isOther = false
  /** Where marks come that are left out. */
  const left: number[] = []
  transaction.changes.iterChanges((from, to, fromB, toB, inserted) => {
    // A text put in place of all with a mark of its own is as it should be.
    const own = from === 0 && to > 0 && isMarked(inserted) ? mark : ''
    const text = inserted.toString().slice(own.length)
    const insert = own + unmarked(text)
    for (const { 0: marks, index } of text.matchAll(/^\uFEFF+/gm))
      for (let i = 0; i < marks.length; i++) left.push(fromB + own.length + index + i)
    if (from > 0 || own) return void changes.push({ from, to, insert })
    changes.push({ from: 1, to: Math.max(to, 1), insert })
    isOther = true
    behind = (at) => (to > 0 || at <= toB ? at + 1 : at)
  })
  if (!isOther && left.length === 0) return undefined
  const placeOf = (at: number) => behind(at) - left.filter((one) => one < at).length
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
