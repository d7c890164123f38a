import { cellsOf, isBelowHead } from './table-rows.ts'

/** Columns that a table gets or loses, where nothing else of it changes. */
export interface ColumnChange {
  does: 'in' | 'out'
  /** Before which column they stand. */
  at: number
  /** Their cells, row by row. */
  rows: string[][]
}

/** Null where it is another change, or not of a table with its head. */
export function columnChange(original: string, suggested: string): ColumnChange | null {
  const [was, will] = [original, suggested].map((text) => text.trim().split(/\r?\n/))
  if (was!.length !== will!.length || !isTable(was!) || !isTable(will!)) return null
  const [old, now] = [was!, will!].map((lines) => lines.map(cellsOf))
  const count = now![0]!.length - old![0]!.length
  const [less, more, number] = count > 0 ? [old!, now!, count] : [now!, old!, -count]
  if (number === 0) return null
  if (less.some((cells, row) => more[row]!.length !== cells.length + number)) return null
  // Up to where all rows begin alike, and from where on they end alike.
  let [begins, ends] = [less[0]!.length, 0]
  for (const [row, cells] of less.entries()) {
    // Below the head how wide the signs are means nothing.
    if (row === 1) continue
    const all = more[row]!
    const first = cells.findIndex((cell, i) => cell !== all[i])
    begins = Math.min(begins, first < 0 ? cells.length : first)
    ends = Math.max(ends, cells.findLastIndex((cell, i) => cell !== all[i + number]) + 1)
  }
  if (begins < ends) return null
  // The last place of those that are alike: a column is added behind others.
  const rows = more.filter((_, row) => row !== 1).map((cells) => cells.slice(begins, begins + number))
  return { does: count > 0 ? 'in' : 'out', at: begins, rows }
}

const isTable = ([head, below]: readonly string[]) =>
  !!head?.includes('|') && !!below?.includes('|') && isBelowHead(below)
