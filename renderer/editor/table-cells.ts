import { syntaxTree } from '@codemirror/language'
import { EditorSelection, type EditorState, type Line, type StateCommand } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

/** How Tab goes from cell to cell of a table. */

interface Cell {
  from: number
  to: number
}

function tableAround(state: EditorState, at: number): SyntaxNode | null {
  for (const side of [-1, 1] as const) {
    for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(at, side); node; node = node.parent) {
      if (node.name === 'Table') return node
    }
  }
  return null
}

const rule = /^[\s>]*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/
/** What stands before a row in a quote or list. */
const lead = /^[\s>]*/

/** The words of a row’s cells; of an empty one, where they would begin. */
function cellsOf({ from, text }: Line): Cell[] {
  const start = lead.exec(text)![0].length
  const bars = [...text.matchAll(/(?<!\\)(?:\\\\)*\|/g)].map(
    ({ index, 0: found }) => index + found.length - 1,
  )
  const ends = [...(bars[0] === start ? [] : [start - 1]), ...bars]
  if (text.slice((ends.at(-1) ?? 0) + 1).trim() !== '') ends.push(text.length)
  return ends.slice(1).map((end, i) => {
    const first = ends[i]! + 1
    const inner = text.slice(first, end)
    const words = inner.trim()
    const at = words === '' ? Math.min(first + 1, end) : first + inner.indexOf(words)
    return { from: from + at, to: from + at + words.length }
  })
}

function rowsOf(state: EditorState, table: SyntaxNode): Cell[][] {
  const rows: Cell[][] = []
  const last = state.doc.lineAt(table.to).number
  for (let number = state.doc.lineAt(table.from).number; number <= last; number++) {
    const line = state.doc.line(number)
    if (!rule.test(line.text)) rows.push(cellsOf(line))
  }
  return rows
}

/** An empty row like the one before it. */
function newRow(state: EditorState, { text, to }: Line, count: number) {
  const before = /^[\s>]*/.exec(text)![0]
  const insert = `\n${before}|${'  |'.repeat(count)}`
  return state.update({
    changes: { from: to, insert },
    selection: EditorSelection.cursor(to + 1 + before.length + 2),
    userEvent: 'input',
    scrollIntoView: true,
  })
}

const goTo =
  (way: 'next' | 'previous'): StateCommand =>
  ({ state, dispatch }) => {
    const { main, ranges } = state.selection
    const table = ranges.length === 1 ? tableAround(state, main.head) : null
    if (!table || main.from < table.from || main.to > table.to || state.readOnly) return false
    const cells = rowsOf(state, table).flat()
    const cell =
      way === 'next'
        ? cells.find(({ from }) => from > main.head && from > main.from)
        : cells.findLast(({ to }, i) => to < main.from && (cells[i + 1]?.from ?? Infinity) <= main.head)
    if (cell) {
      dispatch(
        state.update({
          selection: EditorSelection.range(cell.from, cell.to),
          userEvent: 'select',
          scrollIntoView: true,
        }),
      )
    } else if (way === 'next') {
      dispatch(newRow(state, state.doc.lineAt(table.to), Math.max(1, rowsOf(state, table)[0]!.length)))
    }
    return true
  }

/** Selects what is in the next cell of a table; behind the last one it begins a row. */
export const nextCell = goTo('next')
export const previousCell = goTo('previous')

/**
 * Enter at the end of a table’s last row leaves the table: what is typed on the next line would be a row of it. A row
 * with nothing in it goes.
 */
export const leaveTable: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection
  if (state.readOnly || ranges.length > 1 || !main.empty) return false
  const table = tableAround(state, main.head)
  const line = state.doc.lineAt(main.head)
  if (!table || line.number !== state.doc.lineAt(table.to).number) return false
  // Behind the line under its head the first row is still to come.
  if (rule.test(line.text) || line.number === state.doc.lineAt(table.from).number) return false
  if (state.sliceDoc(main.head, line.to).trim() !== '') return false
  const before = lead.exec(line.text)![0]
  const apart = before.trimEnd()
  const isEmpty = cellsOf(line).every(({ from, to }) => from === to)
  const next = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : ''
  const start = isEmpty ? `${apart}\n${before}` : `\n${apart}\n${before}`
  const insert = start + (next.replace(lead, '') === '' ? '' : `\n${apart}`)
  const from = isEmpty ? line.from : main.head
  dispatch(
    state.update({
      changes: { from, to: line.to, insert },
      selection: EditorSelection.cursor(from + start.length),
      userEvent: 'input',
      scrollIntoView: true,
    }),
  )
  return true
}

/** A bar as the first sign of the line behind a table begins a row of it: the empty line between goes. */
export const goOnWithTable: StateCommand = ({ state, dispatch }) => {
  const { main, ranges } = state.selection
  const line = state.doc.lineAt(main.head)
  if (state.readOnly || ranges.length > 1 || !main.empty || line.number < 3) return false
  const empty = state.doc.line(line.number - 1)
  const row = state.doc.line(line.number - 2)
  const before = lead.exec(row.text)![0]
  if (line.text !== before || empty.text.trimEnd() !== before.trimEnd() || main.head !== line.to) return false
  const table = tableAround(state, row.to)
  if (!table || state.doc.lineAt(table.to).number !== row.number) return false
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
