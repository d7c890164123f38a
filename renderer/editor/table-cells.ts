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
