import { isolateHistory } from '@codemirror/commands'
import {
  EditorSelection,
  StateEffect,
  StateField,
  Transaction,
  type ChangeSpec,
  type EditorState,
  type StateCommand,
  type TransactionSpec,
} from '@codemirror/state'
import { textDiff } from '../../../server/domain/diff/index.ts'
import { letterChanges } from '../letter-changes.ts'
import { fromElsewhere } from '../own-undo.ts'
import { isSuggesting } from '../suggesting/own-suggestions.ts'
import { suggestedLines } from './suggested-lines.ts'
import { tableAround, tableNode, wordsAt, type TableAround } from './table-around.ts'
import { tableEdits, type EditedTable, type TableEditName, type TablePlace } from './table-edits.ts'
import { tableLines, type TableText } from './table-text.ts'

/** What keys and buttons do in a table. */

const isEven = StateEffect.define<null>()

/** Where something was typed since a table was last made even; null where nothing was. */
export const typedInTable = StateField.define<number | null>({
  create: () => null,
  update(at, transaction) {
    if (transaction.effects.some((effect) => effect.is(isEven))) return null
    if (!transaction.docChanged) return at
    const isTyped = transaction.isUserEvent('input') || transaction.isUserEvent('delete')
    if (isTyped && !transaction.annotation(fromElsewhere)) return transaction.newSelection.main.head
    return at === null ? null : transaction.changes.mapPos(at)
  },
})

/** Suggestions are of words: where one suggests, the spaces of a table stay as they are. */
const mayTidy = (state: EditorState) => !isSuggesting(state)

/** What makes the lines of a table others, to the letter: whoever writes in them too, and what is said of them, stays. */
function changesTo(state: EditorState, { from, to }: TableAround, lines: readonly string[]): ChangeSpec[] {
  const before = state.doc.sliceString(from, to)
  const after = lines.join('\n')
  return letterChanges(before, after, textDiff(before, after)).map((change) => ({
    from: from + change.from,
    to: from + change.to,
    insert: change.insert,
  }))
}

/** Goes to a cell and selects its words, making the table even first where something was typed in it. */
function goTo(state: EditorState, around: TableAround, at: TablePlace): TransactionSpec {
  const typed = state.field(typedInTable, false) ?? null
  const tidies = mayTidy(state) && typed !== null && typed >= around.from && typed <= around.to
  const lines = tidies ? tableLines(around.table) : state.doc.sliceString(around.from, around.to).split('\n')
  const { from, to } = wordsAt(lines, around.table, at)
  return {
    ...(tidies
      ? {
          changes: changesTo(state, around, lines),
          effects: isEven.of(null),
          // Undo is for what was typed.
          annotations: Transaction.addToHistory.of(false),
        }
      : {}),
    selection: EditorSelection.range(around.from + from, around.from + to),
    scrollIntoView: true,
    userEvent: 'select',
  }
}

function tidied(state: EditorState, around: TableAround, table: TableText) {
  const lines = tableLines(table)
  return { lines, changes: changesTo(state, around, lines) }
}

/** Writes a table anew in place of what it was, with the cursor in a cell of it. */
export function rewriting(
  state: EditorState,
  around: TableAround,
  { table, at }: EditedTable,
  userEvent = 'input',
): TransactionSpec {
  if (!table) {
    const lead = around.table.leads[0]!.length
    return {
      changes: { from: around.from + lead, to: around.to },
      selection: EditorSelection.cursor(around.from + lead),
      userEvent: 'delete',
      scrollIntoView: true,
    }
  }
  const { lines, changes } = mayTidy(state)
    ? tidied(state, around, table)
    : suggestedLines(state.doc.sliceString(around.from, around.to), around, table)
  const { from, to } = wordsAt(lines, table, at)
  return {
    changes,
    selection: EditorSelection.range(around.from + from, around.from + to),
    effects: isEven.of(null),
    annotations: isolateHistory.of('full'),
    userEvent,
    scrollIntoView: true,
  }
}

const newRowBelow = (around: TableAround, column: number): EditedTable => {
  const { row } = around.at
  return tableEdits.rowBelow(around.table, { row, column })
}

const toCell =
  (step: -1 | 1): StateCommand =>
  ({ state, dispatch }) => {
    const around = state.readOnly ? null : tableAround(state)
    if (!around) return false
    const { table, at, isInRule, isInCell } = around
    const columns = table.align.length
    // From the line under the head it goes on with the first row, from a row’s start to its first cell.
    let index = at.row * columns + at.column + step
    if (isInRule) index = step > 0 ? columns : columns - 1
    else if (!isInCell && at.column === 0 && step > 0 && around.within === 0) index = at.row * columns
    if (index < 0) return true
    const row = Math.floor(index / columns)
    if (row >= table.rows.length) {
      dispatch(state.update(rewriting(state, around, newRowBelow(around, 0))))
    } else dispatch(state.update(goTo(state, around, { row, column: index % columns })))
    return true
  }

/** Selects what is in the next cell of a table; behind the last one it begins a row. */
export const nextCell = toCell(1)
export const previousCell = toCell(-1)

const isEmptyRow = ({ rows }: TableText, row: number) => rows[row]!.every((cell) => cell.trim() === '')

/** Enter goes to the row below, and begins one behind the last; from a last one with nothing in it, it leaves the table. */
export const nextRow: StateCommand = ({ state, dispatch }) => {
  const around = state.readOnly ? null : tableAround(state)
  if (!around) return false
  const { table, at, isInRule } = around
  const { from, to, head } = state.selection.main
  if (state.doc.lineAt(from).number !== state.doc.lineAt(to).number) return false
  // Before its first line, what is written is no part of it.
  if (head <= around.from + table.leads[0]!.length) return false
  const isLast = at.row === table.rows.length - 1
  if (isLast && at.row > 0 && isEmptyRow(table, at.row)) {
    dispatch(state.update(leaving(state, around)))
    return true
  }
  if (isLast) dispatch(state.update(rewriting(state, around, newRowBelow(around, 0))))
  else dispatch(state.update(goTo(state, around, { row: at.row + 1, column: isInRule ? 0 : at.column })))
  return true
}

/** In place of the last row an empty line behind the table, apart from what follows: what is typed there is no row of it. */
function leaving(state: EditorState, { to, table }: TableAround): TransactionSpec {
  const line = state.doc.lineAt(to)
  const lead = table.leads.at(-1)!
  const apart = lead.trimEnd()
  const next = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : ''
  const start = `${apart}\n${lead}`
  const insert = start + (next.replace(/^[\s>]*/, '') === '' ? '' : `\n${apart}`)
  return {
    changes: { from: line.from, to: line.to, insert },
    selection: EditorSelection.cursor(line.from + start.length),
    userEvent: 'input',
    scrollIntoView: true,
  }
}

/** A line break within a cell. */
export const breakInCell: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly || !tableAround(state)?.isInCell) return false
  dispatch(state.update(state.replaceSelection('<br>'), { userEvent: 'input', scrollIntoView: true }))
  return true
}

/** Does something to the table at the cell that the cursor is in. */
export const editTable =
  (name: TableEditName): StateCommand =>
  ({ state, dispatch }) => {
    const around = state.readOnly ? null : tableAround(state)
    if (!around) return false
    const isMoved = name === 'rowUp' || name === 'rowDown'
    const userEvent = name.startsWith('delete') ? 'delete' : isMoved ? 'move.line' : 'input'
    dispatch(state.update(rewriting(state, around, tableEdits[name](around.table, around.at), userEvent)))
    return true
  }

/** A bar that is typed where one stands already, with nothing more in the cell, goes on to the next cell. */
export const overBar: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection
  const around = state.readOnly || !main.empty ? null : tableAround(state)
  if (!around?.isInCell || around.isInRule) return false
  const { table, at, within } = around
  const words = (column: number) => (table.rows[at.row]![column] ?? '').trim()
  if (within < words(at.column).length) return false
  // The first one of a row is typed before its first cell.
  const isFirst = at.column === 0 && isEmptyRow(table, at.row)
  if (!isFirst && at.column === table.align.length - 1) {
    const { to } = state.doc.lineAt(main.head)
    dispatch(state.update({ selection: EditorSelection.cursor(to), userEvent: 'select' }))
    return true
  }
  if (!isFirst && words(at.column + 1) !== '') return false
  const column = isFirst ? 0 : at.column + 1
  dispatch(state.update(goTo(state, around, { row: at.row, column })))
  return true
}

/** A bar as the first sign of the line behind a table begins a row of it: the empty line between goes. */
export const goOnWithTable: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.head)
  if (state.readOnly || ranges.length > 1 || !main.empty || line.number < 3) return false
  const empty = state.doc.line(line.number - 1)
  const row = state.doc.line(line.number - 2)
  const before = /^[\s>]*/.exec(row.text)![0]
  if (line.text !== before || empty.text.trimEnd() !== before.trimEnd() || main.head !== line.to) return false
  const node = tableNode(state, row.to)
  if (!node || state.doc.lineAt(node.to).number !== row.number) return false
  dispatch(
    state.update({
      changes: { from: empty.from, to: line.to, insert: `${before}|` },
      selection: EditorSelection.cursor(empty.from + before.length + 1),
      userEvent: 'input.type',
      scrollIntoView: true,
    }),
  )
  return true
}
