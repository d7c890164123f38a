import { isolateHistory } from '@codemirror/commands'
import {
  ChangeSet,
  EditorState,
  Prec,
  StateEffect,
  Transaction,
  type StateCommand,
  type TransactionSpec,
} from '@codemirror/state'
import type { Command, EditorView } from '@codemirror/view'
import { fromElsewhere } from '../own-undo.ts'
import { arePlaced } from '../formatted.ts'
import { become, isSuggested, ownSuggestions } from './own-suggestions.ts'
import { suggesting } from './suggesting-change.ts'

/**
 * The text as it reads with what one suggests, without the words that are struck through. What works on the text, and not
 * just where the cursor is, goes by that: on a line whose `- ` is struck, a list’s command would find it still.
 */
export interface Reading {
  state: EditorState
  /** What was done to that state, as it is done to the editor’s. */
  back: (transaction: Transaction) => TransactionSpec
  /** What leads from the editor’s text to it. */
  without: ChangeSet
  /** Where a place of the editor’s text is in it. */
  toRead: (at: number) => number
}

/** Null where it is the editor’s text itself. */
export function readingOf(state: EditorState): Reading | null {
  const own = state.field(ownSuggestions, false)
  const taken = own?.isReading ? [] : (own?.stretches.filter(({ kind }) => kind === 'taken out') ?? [])
  if (!own || taken.length === 0) return null
  const without = ChangeSet.of(
    taken.map(({ from, to }) => ({ from, to })),
    state.doc.length,
  )
  const withTaken = without.invert(state.doc)
  const read = state.update({
    changes: without,
    effects: become.of({ ...own, stretches: [], isReading: true }),
    annotations: [fromElsewhere.of(true), Transaction.addToHistory.of(false)],
    filter: false,
  }).state
  return {
    state: read,
    without,
    toRead: (at) => without.mapPos(at),
    back: (transaction) => inEditor(state, withTaken, transaction),
  }
}

function inEditor(state: EditorState, withTaken: ChangeSet, transaction: Transaction): TransactionSpec {
  const { docChanged, effects, newSelection, scrollIntoView } = transaction
  // What is put in where words are struck stands behind those.
  const after = withTaken.map(transaction.changes, true)
  const userEvent = transaction.annotation(Transaction.userEvent)
  const isolates = transaction.annotation(isolateHistory)
  const annotations = [
    arePlaced.of(true),
    ...(userEvent === undefined ? [] : [Transaction.userEvent.of(userEvent)]),
    ...(isolates === undefined ? [] : [isolateHistory.of(isolates)]),
  ]
  const mapped = StateEffect.mapEffects(effects, after)
  if (!docChanged) {
    const selection = transaction.selection ? { selection: newSelection.map(after) } : {}
    return { ...selection, effects: mapped, annotations, scrollIntoView, filter: false }
  }
  const changes = transaction.changes.map(withTaken)
  const puts = changes.newLength > changes.length || !transaction.isUserEvent('delete')
  const selection = newSelection.map(after, puts ? 1 : -1)
  return {
    ...suggesting(state, { changes, selection, effects: mapped, transaction }),
    ...{ scrollIntoView, filter: false },
  }
}

/** Whether something is struck in the lines around, so that they read otherwise than they stand there. */
function isStruckAround(state: EditorState, from: number, to: number): boolean {
  const own = state.field(ownSuggestions, false)
  if (!own || own.isReading) return false
  const [start, end] = [state.doc.lineAt(from).from - 1, state.doc.lineAt(to).to + 1]
  return own.stretches.some((one) => one.kind === 'taken out' && one.from <= end && one.to >= start)
}

/** As the lines that are selected read: the state itself where nothing is struck in them. */
export function readWhereSelected(state: EditorState): EditorState {
  const { from, to } = state.selection.main
  return isStruckAround(state, from, to) ? (readingOf(state)?.state ?? state) : state
}

/** Has what keeps marks in order, in what is typed, go by the text as it reads. Asked first. */
export const keepMarksAsRead = Prec.lowest(
  EditorState.transactionFilter.of((transaction) => {
    const { changes, docChanged, effects, newSelection, startState } = transaction
    const isStep = transaction.isUserEvent('undo') || transaction.isUserEvent('redo')
    const isComposed = transaction.isUserEvent('input.type.compose')
    if (!docChanged || isStep || isComposed || transaction.annotation(fromElsewhere)) return transaction
    if (transaction.annotation(isSuggested) || transaction.annotation(arePlaced)) return transaction
    const { main } = startState.selection
    const reading = isStruckAround(startState, main.from, main.to) ? readingOf(startState) : null
    if (!reading) return transaction
    const done = changes.map(reading.without)
    const after = reading.without.map(changes)
    const userEvent = transaction.annotation(Transaction.userEvent)
    const made = reading.state.update({
      changes: done,
      selection: newSelection.map(after),
      effects: StateEffect.mapEffects(effects, after),
      ...(userEvent === undefined ? {} : { userEvent }),
      scrollIntoView: transaction.scrollIntoView,
    })
    const isSame = JSON.stringify(made.changes) === JSON.stringify(done)
    return isSame ? [transaction, { annotations: arePlaced.of(true) }] : reading.back(made)
  }),
)

/** A command that does what it does to the text as it reads. */
export const asItReads =
  (command: StateCommand): StateCommand =>
  (target) => {
    const reading = readingOf(target.state)
    if (!reading) return command(target)
    return command({
      state: reading.state,
      dispatch: (transaction) => target.dispatch(target.state.update(reading.back(transaction))),
    })
  }

/** The same for one that asks a view for no more than its state, such as those that look for something. */
export const inWhatReads =
  (command: Command): Command =>
  (view) => {
    const reading = readingOf(view.state)
    if (!reading) return command(view)
    const dispatch = (spec: TransactionSpec | Transaction) =>
      view.dispatch(reading.back(spec instanceof Transaction ? spec : reading.state.update(spec)))
    const read: unknown = Object.create(view, {
      state: { value: reading.state },
      dispatch: { value: dispatch },
    })
    return command(read as EditorView)
  }
