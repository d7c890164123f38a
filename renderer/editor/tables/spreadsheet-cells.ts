import { asCell } from './table-text.ts'

/** More than this is a sheet, not a table of a text. */
const most = 20_000

/**
 * The cells of what a spreadsheet puts on the clipboard as plain text: tabs between them, and quotes around what holds
 * tabs or line breaks itself. Null where it isn’t that: less than two columns, or rows of different length.
 */
export function spreadsheetCells(plain: string): string[][] | null {
  if (!plain.includes('\t')) return null
  const rows: string[][] = [[]]
  const text = plain.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let at = 0, count = 0; at <= text.length; count++) {
    const cell = /"((?:[^"]|"")*)"(?=[\t\n]|$)|[^\t\n]*/y
    cell.lastIndex = at
    const [found, quoted] = cell.exec(text)!
    rows.at(-1)!.push(asCell(quoted?.replaceAll('""', '"') ?? found))
    const end = at + found.length
    if (text[end] === '\n') rows.push([])
    at = end + 1
    if (count > most) return null
  }
  const width = rows[0]!.length
  return width > 1 && rows.every((row) => row.length === width) ? rows : null
}
