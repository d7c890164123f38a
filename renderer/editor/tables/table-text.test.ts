import fc from 'fast-check'
import { marked, type Tokens } from 'marked'
import { describe, expect, it } from 'vitest'
import { spreadsheetCells } from './spreadsheet-cells.ts'
import { filled, tableEdits, type TableEditName } from './table-edits.ts'
import { asCell, readTable, tableLines, tableOf, type TableText } from './table-text.ts'

const cell = fc.string({
  unit: fc.constantFrom('a', 'ß', '字', '👩‍🚀', '|', '\\', '`', ' ', '*', '\n', '-', ':', '>', '$'),
  maxLength: 8,
})
const rows = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: 1, maxLength: width + 1 }), { minLength: 1, maxLength: 5 }),
  )

/** A table as somebody may have written it. */
const written = fc
  .record({
    rows,
    lead: fc.constantFrom('', '> ', '   '),
    outer: fc.boolean(),
    marks: fc.constantFrom('-', ':--', ':-:', '---:'),
  })
  .map(({ rows, lead, outer, marks }) => {
    const width = rows[0]!.length
    // Without bars around it, what is empty at an end is no cell, and what begins a line may be a mark.
    const words = (cells: string[]) => cells.map((one) => (outer ? asCell(one) : `x${asCell(one)}`))
    const line = (cells: string[]) =>
      lead + (outer || cells.length === 1 ? `| ${cells.join(' | ')} |` : cells.join(' | '))
    const rule = line(Array.from({ length: width }, () => marks))
    return [line(words(rows[0]!)), rule, ...rows.slice(1).map((row) => line(words(row)))]
  })

/** The cells of a table as the renderer's parser reads them. */
function rendered(lines: readonly string[]): string[][] | null {
  const find = (tokens: Tokens.Generic[]): Tokens.Table | undefined =>
    tokens
      .map((token) => (token.type === 'table' ? (token as Tokens.Table) : token.tokens && find(token.tokens)))
      .find(Boolean)
  const table = find(marked.lexer(lines.join('\n')))
  return table ? [table.header, ...table.rows].map((row) => row.map(({ text }) => text)) : null
}
const words = ({ rows }: TableText) => rows.map((row) => row.map((one) => one.trim()))
const read = (lines: readonly string[]) => {
  const table = readTable(lines)
  if (!table) throw new Error(`no table:\n${lines.join('\n')}`)
  return table
}
/** What is said in them, in any order. */
const said = (cells: readonly (readonly string[])[]) =>
  cells
    .flat()
    .filter((one) => one !== '')
    .sort()

describe('a table', () => {
  it('is read as the renderer reads it, and written so that it reads the same', () => {
    fc.assert(
      fc.property(written, fc.boolean(), (lines, tidy) => {
        const table = read(lines)
        const shown = rendered(lines)
        const width = table.align.length
        const seen = words(table).map((row) =>
          Array.from({ length: width }, (_one, i) => (row[i] ?? '').replaceAll('\\|', '|')),
        )
        if (shown) expect(seen).toEqual(shown)
        const again = tableLines(table, tidy)
        expect(rendered(again)).toEqual(shown)
        expect(said(words(read(again)))).toEqual(said(words(table)))
        expect(tableLines(read(again), tidy)).toEqual(again)
      }),
    )
  })

  it('keeps the text of every cell through whatever is added, moved and aligned', () => {
    const names = Object.keys(tableEdits).filter((name) => !name.startsWith('delete')) as TableEditName[]
    const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(9), fc.nat(9)), { maxLength: 6 })
    fc.assert(
      fc.property(written, steps, fc.boolean(), (lines, edits, tidy) => {
        let table = read(lines)
        const before = said(words(table))
        for (const [name, row, column] of edits) {
          const at = { row: row % table.rows.length, column: column % table.align.length }
          table = read(tableLines(tableEdits[name](table, at).table!, tidy))
          expect(said(words(table))).toEqual(before)
        }
      }),
    )
  })

  it('loses by a deletion only what was deleted', () => {
    fc.assert(
      fc.property(written, fc.nat(9), fc.nat(9), fc.boolean(), (lines, r, c, isRow) => {
        const table = read(lines)
        const at = { row: r % table.rows.length, column: c % table.align.length }
        const left = tableEdits[isRow ? 'deleteRow' : 'deleteColumn'](table, at).table
        const kept = words(table)
          .filter((_row, i) => !isRow || i !== at.row)
          .map((row) => row.filter((_one, i) => isRow || i !== at.column))
        if (left) expect(said(words(read(tableLines(left))))).toEqual(said(kept))
      }),
    )
  })

  it('takes in cells from elsewhere, with the rows and columns that they need', () => {
    const { table, at } = filled(read(['| a | b |', '| - | - |', '| c | d |']), { row: 1, column: 1 }, [
      ['1', '2'],
      ['3', '4'],
    ])
    expect(words(table!)).toEqual([
      ['a', 'b', ''],
      ['c', '1', '2'],
      ['', '3', '4'],
    ])
    expect(at).toEqual({ row: 2, column: 2 })
  })

  it('stands in even columns where it has room, also with wide letters', () => {
    expect(
      tableLines(
        tableOf([
          ['a', '字'],
          ['long', 'x'],
        ]),
      ),
    ).toEqual(['| a    | 字  |', '| ---- | --- |', '| long | x   |'])
    const long = 'w'.repeat(80)
    expect(
      tableLines(
        tableOf([
          ['a', long],
          ['b', 'c'],
        ]),
      ),
    ).toEqual([`| a | ${long} |`, '| --- | --- |', '| b | c |'])
  })
})

describe('what a spreadsheet puts on the clipboard', () => {
  it('becomes cells, with bars and line breaks escaped', () => {
    expect(spreadsheetCells('a\tb\r\n1|2\t"two\nlines, ""quoted"""\r\n')).toEqual([
      ['a', 'b'],
      ['1\\|2', 'two<br>lines, "quoted"'],
    ])
    expect(spreadsheetCells('a\t\n"inch\t5 "x"')).toEqual([
      ['a', ''],
      ['"inch', '5 "x"'],
    ])
  })
  it('is told from other text with tabs', () => {
    for (const text of ['a b', 'a\tb\nc', '\tif\n\t\tx', 'one']) expect(spreadsheetCells(text)).toBeNull()
  })
})
