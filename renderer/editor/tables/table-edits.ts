import type { Alignment, TableText } from './table-text.ts'

/** A place in a table; the head is row 0. */
export interface TablePlace {
  row: number
  column: number
}

/** A table after something was done to it, and where the cursor goes. Null for the table where nothing is left of it. */
export interface EditedTable {
  table: TableText | null
  at: TablePlace
}

/** Rows that it leaves alone are the same arrays after it. */
type TableEdit = (table: TableText, at: TablePlace) => EditedTable

const put = <One>(list: readonly One[], at: number, one: One): One[] => list.toSpliced(at, 0, one)
const taken = <One>(list: readonly One[], at: number): One[] => list.toSpliced(at, 1)
function moved<One>(list: readonly One[], from: number, to: number): One[] {
  return list[from] === undefined ? [...list] : put(taken(list, from), to, list[from])
}
const within = (at: number, count: number) => Math.min(Math.max(at, 0), count - 1)

/** Every row with as many cells as there are columns; what a row has more stays behind them. */
function squared({ leads, align, rows }: TableText): TableText {
  return {
    leads,
    align,
    rows: rows.map((row) =>
      row.length < align.length ? [...row, ...align.slice(row.length).map(() => '  ')] : row,
    ),
  }
}

const rowBelow: TableEdit = ({ leads, align, rows }, { row, column }) => ({
  table: {
    align,
    leads: put(leads, row + 2, leads[1]!),
    rows: put(
      rows,
      row + 1,
      align.map(() => '  '),
    ),
  },
  at: { row: row + 1, column },
})

const movedRow =
  (step: -1 | 1): TableEdit =>
  (table, { row, column }) => {
    const to = within(row + step, table.rows.length)
    return { table: { ...table, rows: moved(table.rows, row, to) }, at: { row: to, column } }
  }

const withoutRow: TableEdit = ({ leads, align, rows }, { row, column }) => {
  // The row below becomes the head.
  const left = taken(rows, row)
  return {
    table: left.length === 0 ? null : { leads: leads.slice(0, -1), align, rows: left },
    at: { row: within(row, left.length), column },
  }
}

const columnAfter: TableEdit = (table, { row, column }) => {
  const { leads, align, rows } = squared(table)
  const at = column + 1
  return {
    table: { leads, align: put(align, at, ''), rows: rows.map((cells) => put(cells, at, '  ')) },
    at: { row, column: at },
  }
}

const movedColumn =
  (step: -1 | 1): TableEdit =>
  (table, { row, column }) => {
    const { leads, align, rows } = squared(table)
    const to = within(column + step, align.length)
    return {
      table: { leads, align: moved(align, column, to), rows: rows.map((cells) => moved(cells, column, to)) },
      at: { row, column: to },
    }
  }

const withoutColumn: TableEdit = (table, { row, column }) => {
  const { leads, align, rows } = squared(table)
  const left = taken(align, column)
  return {
    table: left.length === 0 ? null : { leads, align: left, rows: rows.map((cells) => taken(cells, column)) },
    at: { row, column: within(column, left.length) },
  }
}

/** An alignment that the column has already is taken off again. */
const aligned =
  (to: Alignment): TableEdit =>
  (table, at) => ({
    table: {
      ...table,
      align: table.align.map((one, i) => (i !== at.column ? one : one === to ? '' : to)),
    },
    at,
  })

/** All that can be done to a table at a cell of it. */
export const tableEdits = {
  rowBelow,
  rowUp: movedRow(-1),
  rowDown: movedRow(1),
  deleteRow: withoutRow,
  columnAfter,
  columnBack: movedColumn(-1),
  columnForth: movedColumn(1),
  deleteColumn: withoutColumn,
  alignLeft: aligned('left'),
  alignCenter: aligned('center'),
  alignRight: aligned('right'),
} satisfies Record<string, TableEdit>

export type TableEditName = keyof typeof tableEdits

/** Puts cells over those of a table from a place on, with as many more rows and columns as they need. */
export function filled(table: TableText, at: TablePlace, cells: readonly (readonly string[])[]): EditedTable {
  let { leads, align, rows } = squared(table)
  const width = Math.max(align.length, ...cells.map((row) => at.column + row.length))
  const height = Math.max(rows.length, at.row + cells.length)
  const more = width - align.length
  align = more > 0 ? [...align, ...Array.from({ length: more }, (): Alignment => '')] : align
  rows = rows.map((row) =>
    row.length < width ? [...row, ...Array.from({ length: width - row.length }, () => '  ')] : row,
  )
  while (rows.length < height) {
    rows = [...rows, align.map(() => '  ')]
    leads = [...leads, leads[1]!]
  }
  rows = rows.map((row, r) => {
    const over = cells[r - at.row]
    return over
      ? row.map((cell, c) => {
          const put = over[c - at.column]
          return put === undefined ? cell : ` ${put} `
        })
      : row
  })
  const last = cells.length - 1
  return {
    table: { leads, align, rows },
    at: { row: at.row + last, column: at.column + Math.max(0, (cells[last]?.length ?? 1) - 1) },
  }
}
