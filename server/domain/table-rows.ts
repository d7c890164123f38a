const bar = /(?<!\\)\|/
const belowHead = /^[\s>|:]*-[\s|:-]*$/

export const isBelowHead = (line: string): boolean => belowHead.test(line)
export const isRow = (line: string): boolean => bar.test(line) && !belowHead.test(line)

/** The source of each cell of a row, in which a bar that is none between cells stands for itself. */
export const cellsOf = (row: string): string[] =>
  row
    .replace(/^[\s>]+/, '')
    .trimEnd()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(bar)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** The cells of lines that are rows of a table; null where any of them is none. */
export function rowsIn(lines: string): string[][] | null {
  const rows = lines.split('\n').filter((line) => line.trim() !== '')
  return rows.length > 0 && rows.every(isRow) ? rows.map(cellsOf) : null
}
