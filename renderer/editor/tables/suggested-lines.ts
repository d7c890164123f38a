import type { ChangeSpec } from '@codemirror/state'
import { textDiff } from '../../../server/domain/diff/index.ts'
import { letterChanges } from '../letter-changes.ts'
import type { TableAround } from './table-around.ts'
import { cellsOf, tableLines, type TableText } from './table-text.ts'

/**
 * What makes a table another where one suggests: rows that nobody means stay as they are written, and so does of the line
 * under the head what is said of other columns. Else the suggestion would be of the whole table, and stand in the way of
 * what others suggest for its cells.
 * @param text of the table
 */
export function suggestedLines(
  text: string,
  around: TableAround,
  table: TableText,
): { lines: string[]; changes: ChangeSpec[] } {
  const written = text.split('\n')
  const from = keptLines(around.table, table)
  const lines = tableLines(table, false).map((line, i) => written[from[i]!] ?? line)
  if (from[1] !== 1) lines[1] = ruleOf(written[1]!, around.table, table) ?? lines[1]!
  return { lines, changes: changesBetween(written, lines, from, around) }
}

const lineOf = (row: number) => (row === 0 ? 0 : row + 1)

/** For each line which one it was, or -1 for one that is written anew. */
function keptLines(before: TableText, { rows, align, leads }: TableText): number[] {
  const isSameHead = rows[0] === before.rows[0]
  const kept = rows.map((row, i) => {
    const was = before.rows.indexOf(row)
    // What becomes the head gets as many cells as there are columns.
    const isKept = was >= 0 && (i === 0) === (was === 0) && leads[lineOf(i)] === before.leads[lineOf(was)]
    return isKept ? lineOf(was) : -1
  })
  return kept.toSpliced(1, 0, isSameHead && align === before.align && leads[1] === before.leads[1] ? 1 : -1)
}

/** The line under the head with other marks only for the columns that have got others. */
function ruleOf(written: string, before: TableText, { rows, align, leads }: TableText): string | null {
  const isSame = rows[0] === before.rows[0] && leads[1] === before.leads[1]
  if (!isSame || align.length !== before.align.length) return null
  const cells = cellsOf(written, leads[1]!.length)
  return cells.reduceRight((line, { from, to }, i) => {
    if (align[i] === before.align[i]) return line
    const left = align[i] === 'left' || align[i] === 'center' ? ':' : ''
    const right = align[i] === 'right' || align[i] === 'center' ? ':' : ''
    const mark = line.slice(from, to).replace(/:?(-+):?/, `${left}$1${right}`)
    return line.slice(0, from) + mark + line.slice(to)
  }, written)
}

function changesBetween(
  written: readonly string[],
  lines: readonly string[],
  from: readonly number[],
  { from: start, at }: TableAround,
): ChangeSpec[] {
  let [head, tail] = [0, 0]
  while (head < lines.length && from[head] === head) head++
  const isLast = () => from[lines.length - 1 - tail] === written.length - 1 - tail
  while (tail < Math.min(lines.length, written.length) - head && isLast()) tail++
  const [old, now] = [
    { from: head, to: written.length - tail },
    { from: head, to: lines.length - tail },
  ]
  const offset = (line: number) =>
    start + written.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0)
  const end = (line: number) => offset(line) + written[line]!.length
  // A table’s first lines are never put in or taken out alone.
  const putIn = (line: number, words: string) => ({ from: end(line - 1), insert: `\n${words}` })
  const takeOut = (line: number) => ({ from: offset(line) - 1, to: end(line) })
  if (old.from === old.to && head > 0) return [putIn(head, lines.slice(now.from, now.to).join('\n'))]
  if (now.from === now.to && head > 0) return [{ from: offset(old.from) - 1, to: end(old.to - 1) }]
  const moved = lineOf(at.row)
  const isMoved = old.to - old.from === 2 && from[head] === head + 1 && from[head + 1] === head
  if (isMoved && head > 0 && (moved === head || moved === head + 1))
    return moved === head
      ? [takeOut(head), putIn(head + 2, written[head]!)]
      : [putIn(head, written[head + 1]!), takeOut(head + 1)]
  if (now.to - now.from < old.to - old.from) {
    const [before, after] = [written.slice(old.from, old.to), lines.slice(now.from, now.to)]
    return wordChanges(before.join('\n'), after.join('\n'), offset(old.from))
  }
  const pairs = Array.from({ length: old.to - old.from }, (_one, i) => head + i)
  const more = lines.slice(old.to, now.to)
  return [
    ...pairs.flatMap((line) => wordChanges(written[line]!, lines[line]!, offset(line))),
    ...(more.length > 0 ? [putIn(old.to, more.join('\n'))] : []),
  ]
}

const wordChanges = (before: string, after: string, at: number): ChangeSpec[] =>
  letterChanges(before, after, textDiff(before, after)).map(({ from, to, insert }) => ({
    from: at + from,
    to: at + to,
    insert,
  }))
