import { cellsOf, isRow, rowsIn as sourceOfRows } from '../../server/domain/table-rows.ts'
import { readLine, readWithFormulas } from './read-line.ts'

/** The words of the cells of lines that are rows of a table, with formulas to be drawn; null where any of them is none. */
export const rowsIn = (lines: string): string[][] | null =>
  sourceOfRows(lines)?.map((cells) => cells.map(readWithFormulas)) ?? null

/** A row as words on one line. */
export const rowAsWords = (row: string): string =>
  isRow(row) && /^\s*\|.*\|\s*$/.test(row) ? cellsOf(row).map(readLine).join(' · ').trim() : row
