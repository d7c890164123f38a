import type { EditorState, TransactionSpec } from '@codemirror/state'
import type { PastedMarkdown } from '../paste/pasted-markdown.ts'
import { spreadsheetCells } from './spreadsheet-cells.ts'
import { tableAround } from './table-around.ts'
import { rewriting } from './table-commands.ts'
import { filled } from './table-edits.ts'
import { asCell, readTable, tableLines, tableOf } from './table-text.ts'

/** The cells of a text that is a table and nothing else, of markdown or a spreadsheet's. */
function cellsIn(text: string): string[][] | null {
  const lines = text.trim().split('\n')
  const table = lines.every((line) => line.trim() !== '') ? readTable(lines) : null
  return table ? table.rows.map((row) => row.map((cell) => cell.trim())) : spreadsheetCells(text)
}

/**
 * What is pasted into a cell of a table: cells go over those that are there, and other words become one line of the
 * cell. Null outside of tables, and where words are that already.
 * @param isSheet whether its lines are known to be cells, also of one column
 */
export function pastingInCell(state: EditorState, text: string, isSheet = false): TransactionSpec | null {
  const around = tableAround(state)
  const { from, to } = state.selection.main
  if (!around?.isInCell || around.isInRule || state.sliceDoc(from, to).includes('\n')) return null
  const column = isSheet
    ? text
        .trimEnd()
        .split('\n')
        .map((words) => [asCell(words)])
    : null
  const cells = cellsIn(text) ?? column
  if (cells) return rewriting(state, around, filled(around.table, around.at, cells), 'input.paste')
  const words = asCell(text.replace(/\\\n/g, '\n'))
  if (words === text) return null
  return { ...state.replaceSelection(words), userEvent: 'input.paste', scrollIntoView: true }
}

/** What a spreadsheet copied, as a table; null for any other text. */
export function pastedSheet(plain: string): PastedMarkdown | null {
  const cells = spreadsheetCells(plain)
  // Lines that begin with a tab are an indented text.
  if (!cells || cells.length < 2 || cells.every(([first]) => first === '')) return null
  return { markdown: tableLines(tableOf(cells)).join('\n'), first: 'table', last: 'table' }
}
