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
  const isSame = (at: number) =>
    less.every((cells, row) => {
      const all = more[row]!
      if (all.length !== cells.length + number) return false
      const rest = [...all.slice(0, at), ...all.slice(at + number)]
      // Below the head how wide the signs are means nothing.
      return row === 1 || rest.every((cell, i) => cell === cells[i])
    })
  // The last place of those that are alike: a column is added behind others.
  for (let at = less[0]!.length; at >= 0; at--)
    if (isSame(at)) {
      const rows = more.filter((_, row) => row !== 1).map((cells) => cells.slice(at, at + number))
      return { does: count > 0 ? 'in' : 'out', at, rows }
    }
  return null
}

const isTable = ([head, below]: readonly string[]) =>
  !!head?.includes('|') && !!below?.includes('|') && isBelowHead(below)
