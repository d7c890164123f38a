// Of what is put in, so much is shown in the text, however much it is; all of it is on the card.
const mostLines = 40
const mostCharacters = 5_000
const mostColumns = 20
const mostInCell = 300

/** Stands for what isn’t shown. */
export const andMore = '…'

/** The first lines of a text, whole ones unless the first is too long by itself, and whether there are more. */
export function firstLines(text: string): { shown: string; isCut: boolean } {
  const whole = text.trimEnd()
  const all = firstCharacters(whole, mostCharacters)
  const lines = all.split(/\r?\n/)
  const isTooLong = all.length < whole.length
  if (!isTooLong && lines.length <= mostLines) return { shown: text, isCut: false }
  if (isTooLong && lines.length > 1) lines.pop()
  return { shown: lines.slice(0, mostLines).join('\n'), isCut: true }
}

/** The first cells of a row, each as far as it is shown. */
export function firstCells(cells: readonly string[]): string[] {
  const shown = cells
    .slice(0, mostColumns)
    .map((cell) => (cell.length > mostInCell ? `${firstCharacters(cell, mostInCell)}${andMore}` : cell))
  return cells.length > mostColumns ? [...shown, andMore] : shown
}

/** The first of the rows of cells. */
export function firstRows(rows: readonly (readonly string[])[]): string[][] {
  const shown = rows.slice(0, mostLines).map(firstCells)
  return rows.length > mostLines ? [...shown, [andMore]] : shown
}

/** No half of a pair. */
const firstCharacters = (text: string, count: number) => text.slice(0, count).replace(/[\uD800-\uDBFF]$/, '')
