/** Tables of GitHub’s markdown as the renderer reads them, and how they are written. */

export type Alignment = '' | 'left' | 'center' | 'right'

export interface TableText {
  /** What stands before each line: those of quotes and items. The second one is before the line under the head. */
  leads: string[]
  align: Alignment[]
  /** The head first. Cells are as they are written between the bars, with their spaces. */
  rows: string[][]
}

export interface CellRange {
  from: number
  to: number
}

/** A bar with an odd number of backslashes before it is a word’s. */
const bar = /(?<!\\)(?:\\\\)*\|/g
const leadOf = (line: string) => /^[\s>]*/.exec(line)![0]
const ruleCell = /^\s*:?-+:?\s*$/

/** Where the cells of a row are between their bars, from `start` on. */
export function cellsOf(line: string, start: number): CellRange[] {
  const end = line.trimEnd().length
  const bars = [...line.slice(start, end).matchAll(bar)].map(
    ({ index, 0: found }) => start + index + found.length - 1,
  )
  const opens = bars[0] === start ? bars : [start - 1, ...bars]
  const ranges = opens.map((open, i) => ({ from: open + 1, to: opens[i + 1] ?? end }))
  const last = ranges.at(-1)
  if (last && line.slice(last.from, last.to).trim() === '') ranges.pop()
  return ranges
}

/**
 * Reads the lines of a table.
 * @param start where its first line’s own text begins, behind the mark of an item
 * @returns null for what is none
 */
export function readTable(lines: readonly string[], start = leadOf(lines[0] ?? '').length): TableText | null {
  const [head, rule] = lines
  if (head === undefined || rule === undefined) return null
  const leads = lines.map((line, i) => (i === 0 ? line.slice(0, start) : leadOf(line)))
  const [cells = [], marks = [], ...rest] = lines.map((line, i) =>
    cellsOf(line, leads[i]!.length).map(({ from, to }) => line.slice(from, to)),
  )
  if (cells.length === 0 || cells.length !== marks.length || !marks.every((mark) => ruleCell.test(mark)))
    return null
  const align = marks.map((mark): Alignment => {
    const [left, right] = [mark.trim().startsWith(':'), mark.trim().endsWith(':')]
    return left && right ? 'center' : left ? 'left' : right ? 'right' : ''
  })
  return { leads, align, rows: [cells, ...rest] }
}

/** Wider than this a table isn’t made even: its lines would be broken all the same. */
const widest = 72

/**
 * Writes a table, line by line, with its columns below one another where they have room.
 * @param tidy else cells keep the spaces that they have
 */
export function tableLines({ leads, align: known, rows }: TableText, tidy = true): string[] {
  // Of a head with more cells than the one before it, each makes a column.
  const align = [...known, ...(rows[0] ?? []).slice(known.length).map((): Alignment => '')]
  const texts = rows.map((row) => (tidy ? row.map((cell) => cell.trim()) : row))
  const widths = align.map((_one, i) => Math.max(3, ...texts.map((row) => widthOf(row[i] ?? ''))))
  const isEven = widths.reduce((sum, width) => sum + width + 3, 1) <= widest
  const line = (cells: readonly string[], lead: string) => {
    const count = Math.max(cells.length, align.length)
    const all = Array.from({ length: count }, (_one, i) => {
      // A backslash right before a bar would take it for a word's.
      if (!tidy) return (cells[i] ?? '  ').replace(/\\$/, '\\ ')
      const cell = cells[i] ?? ''
      return ` ${isEven && i < align.length ? padded(cell, widths[i]!, align[i]!) : cell} `
    })
    return `${lead}|${all.join('|')}|`
  }
  const marks = align.map((one, i) => {
    const length = (tidy && isEven ? widths[i]! : 3) - (one === '' ? 0 : one === 'center' ? 2 : 1)
    const left = one === 'left' || one === 'center' ? ':' : ''
    const right = one === 'right' || one === 'center' ? ':' : ''
    return ` ${left}${'-'.repeat(length)}${right} `
  })
  const [head = [], ...rest] = texts
  return [
    line(head, leads[0]!),
    `${leads[1]!}|${marks.join('|')}|`,
    ...rest.map((row, i) => line(row, leads[i + 2]!)),
  ]
}

function padded(cell: string, width: number, align: Alignment): string {
  const missing = Math.max(0, width - widthOf(cell))
  const before = align === 'right' ? missing : align === 'center' ? Math.floor(missing / 2) : 0
  return ' '.repeat(before) + cell + ' '.repeat(missing - before)
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

/** How many columns of a face of even width it takes. */
function widthOf(text: string): number {
  let width = 0
  for (const sign of text) if (!/[\p{M}\u200d]/u.test(sign)) width += wide.test(sign) ? 2 : 1
  return width
}

/** Words as they stand in a cell: on one line, without bars that would end it. */
export function asCell(words: string): string {
  return words
    .trim()
    .replace(/[ \t]*(?:\r\n?|\n)[ \t]*/g, '<br>')
    .replace(/\t/g, ' ')
    .replace(/(\\*)\|/g, (found, slashes: string) => (slashes.length % 2 === 1 ? found : `${slashes}\\|`))
}

/** A table of what was cut out of one, or comes from elsewhere. */
export function tableOf(cells: readonly (readonly string[])[], lead = ''): TableText {
  const width = Math.max(1, ...cells.map((row) => row.length))
  const rows = cells.map((row) => Array.from({ length: width }, (_one, i) => row[i] ?? ''))
  return {
    leads: Array.from({ length: rows.length + 1 }, () => lead),
    align: Array.from({ length: width }, () => ''),
    rows,
  }
}
