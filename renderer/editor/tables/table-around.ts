import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'
import { cellsOf, readTable, type TableText } from './table-text.ts'
import type { TablePlace } from './table-edits.ts'
import { parsedTree } from '../parsed-tree.ts'

/** A table in a text, and the cell of it that the cursor is in. */
export interface TableAround {
  /** From the start of its first line to the end of its last. */
  from: number
  to: number
  table: TableText
  at: TablePlace
  /** How far into the words of the cell the cursor is. */
  within: number
  /** Whether the cursor is in the cell, not at either end of the line. */
  isInCell: boolean
  /** Whether it is in the line under the head. */
  isInRule: boolean
}

export function tableNode(state: EditorState, at: number): SyntaxNode | null {
  for (const side of [-1, 1] as const) {
    for (
      let node: SyntaxNode | null = parsedTree(state, at).resolveInner(at, side);
      node;
      node = node.parent
    ) {
      if (node.name === 'Table') return node
    }
  }
  return null
}

/** The table that all of the selection is in. */
export function tableAround(state: EditorState): TableAround | null {
  const { main, ranges } = state.selection
  const node = ranges.length === 1 ? tableNode(state, main.head) : null
  if (!node) return null
  const { doc } = state
  const [first, last] = [doc.lineAt(node.from), doc.lineAt(node.to)]
  if (main.from < first.from || main.to > last.to) return null
  const lines = doc.sliceString(first.from, last.to).split('\n')
  const table = readTable(lines, node.from - first.from)
  if (!table) return null
  const line = doc.lineAt(main.head)
  const number = line.number - first.number
  const ranges_ = cellsOf(line.text, table.leads[number]!.length)
  const head = main.head - line.from
  const found = ranges_.findIndex(({ to }) => head <= to)
  const column = Math.min(found < 0 ? ranges_.length : found, table.align.length) - (found < 0 ? 1 : 0)
  const cell = ranges_[column]
  const words = cell ? line.text.slice(cell.from, cell.to) : ''
  const start = cell ? cell.from + words.length - words.trimStart().length : 0
  return {
    from: first.from,
    to: last.to,
    table,
    at: { row: Math.max(0, number - 1), column: Math.max(0, Math.min(column, table.align.length - 1)) },
    within: Math.min(Math.max(0, head - start), words.trim().length),
    isInCell: found >= 0 && cell !== undefined && head >= cell.from,
    isInRule: number === 1,
  }
}

/** Where the words of a cell stand in the lines of a table; of an empty one, where they would begin. */
export function wordsAt(lines: readonly string[], table: TableText, { row, column }: TablePlace) {
  const number = row === 0 ? 0 : row + 1
  const start = lines.slice(0, number).reduce((sum, line) => sum + line.length + 1, 0)
  const line = lines[number]!
  const cell = cellsOf(line, table.leads[number]!.length)[column]
  if (!cell) return { from: start + line.length, to: start + line.length }
  const written = line.slice(cell.from, cell.to)
  const words = written.trim()
  const at = words === '' ? Math.min(cell.from + 1, cell.to) : cell.from + written.indexOf(words)
  return { from: start + at, to: start + at + words.length }
}
