import { readLine } from './read-line.ts'

const bar = /(?<!\\)\|/
const belowHead = /^[\s>|:]*-[\s|:-]*$/
const isRow = (line: string) => bar.test(line) && !belowHead.test(line)

/** The words of the cells of lines that are rows of a table; null where any of them is none. */
export function rowsIn(lines: string): string[][] | null {
  const rows = lines.split('\n').filter((line) => line.trim() !== '')
  return rows.length > 0 && rows.every(isRow) ? rows.map(cellsOf) : null
}

const cellsOf = (row: string): string[] =>
  row
    .replace(/^[\s>]+|\s+$/g, '')
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(bar)
    .map((cell) => readLine(cell.trim()).replaceAll('\\|', '|'))

/** A row as words on one line. */
export const rowAsWords = (row: string): string =>
  isRow(row) && /^\s*\|.*\|\s*$/.test(row) ? cellsOf(row).join(' · ').trim() : row
