import { isolateHistory } from '@codemirror/commands'
import {
  ChangeSet,
  EditorSelection,
  StateEffect,
  Transaction,
  type EditorState,
  type TransactionSpec,
} from '@codemirror/state'
import { arePlaced } from '../formatted.ts'
import { composeOver, isComposed } from './composing.ts'
import { isSuggested, ownSuggestions, takeOut } from './own-suggestions.ts'
import type { Stretch } from './stretches.ts'
import { suggestedChange, withLineEndBefore, type DeleteDirection } from './typed.ts'

/** What somebody does in the editor: with the selection and effects that are to be once it is done. */
interface Done {
  changes: ChangeSet
  selection: EditorSelection
  effects: readonly StateEffect<unknown>[]
  /** That which it comes of. */
  transaction: Transaction
}

function wayOf(transaction: Transaction): DeleteDirection {
  if (transaction.isUserEvent('delete.backward')) return 'back'
  if (transaction.isUserEvent('delete.forward')) return 'forth'
  const { main } = transaction.startState.selection
  return transaction.isUserEvent('delete') && main.empty ? 'back' : null
}

/** What is composed reaches up to the cursor, also where letters of it are as they were. */
function upToCursor({ doc }: EditorState, changes: ChangeSet, cursor: number): ChangeSet {
  const ranges: { from: number; to: number; insert: string; end: number }[] = []
  changes.iterChanges((from, to, _fromB, end, insert) => {
    ranges.push({ from, to, insert: insert.toString(), end })
  })
  const [range] = ranges
  if (ranges.length !== 1 || !range || range.from === range.to || cursor <= range.end) return changes
  const { from, to, insert, end } = range
  const rest = doc.sliceString(to, to + cursor - end)
  return ChangeSet.of({ from, to: to + rest.length, insert: insert + rest }, doc.length)
}

/** The words that stay behind what is composed in their place. */
function keptBehind(stays: ChangeSet): StateEffect<unknown>[] {
  const kept: StateEffect<unknown>[] = []
  stays.iterChangedRanges((_fromA, _toA, from, to) => kept.push(composeOver.of({ from, to })))
  return kept
}

/** What makes suggestions of a change. */
export function suggesting(
  state: EditorState,
  { changes: asked, selection, effects, transaction }: Done,
): TransactionSpec {
  const { stretches } = state.field(ownSuggestions)
  const composes = isComposed(transaction)
  const changes = composes
    ? upToCursor(state, asked, selection.main.head)
    : withLineEndBefore(state.doc, stretches, asked)
  const made = suggestedChange(state.doc, stretches, changes, wayOf(transaction), composes)
  const stays = ChangeSet.of(made.stays, changes.newLength)
  const makes = ChangeSet.of(made.changes, state.doc.length)
  const puts = made.changes.length > 0 && makes.newLength > state.doc.length
  const side = !composes && (puts || transaction.isUserEvent('delete.forward')) ? 1 : -1
  const taken = made.takenOut.map((range): Stretch => ({ ...range, kind: 'taken out', key: 0 }))
  const userEvent = transaction.annotation(Transaction.userEvent)
  const isolates = transaction.annotation(isolateHistory)
  // What is done in several places, and what stays between, aren’t one change.
  const isApart = transaction.isUserEvent('input.replace.all') || transaction.isUserEvent('move')
  return {
    changes: makes,
    selection:
      made.cursor === null
        ? selection.map(stays, side)
        : EditorSelection.single(makes.mapPos(made.cursor, side)),
    effects: [
      ...StateEffect.mapEffects(effects, stays),
      ...(taken.length > 0 ? [takeOut.of(taken)] : []),
      ...(composes ? keptBehind(stays) : []),
    ],
    annotations: [
      isSuggested.of({ isOnePassage: !isApart }),
      // What keeps them in order has been asked before.
      arePlaced.of(true),
      ...(userEvent === undefined ? [] : [Transaction.userEvent.of(userEvent)]),
      ...(isolates === undefined ? [] : [isolateHistory.of(isolates)]),
    ],
    scrollIntoView: transaction.scrollIntoView,
  }
}
