import type { ComparedRow } from './rendered-comparison.ts'

type SameRow = Extract<ComparedRow, { kind: 'same' }>
export type ShownRow = ComparedRow | { kind: 'fold'; rows: SameRow[] }

/** Fewer than these aren't worth a fold. */
const least = 3

/** Rows with long unchanged stretches folded; one block stays on either side of a change. */
export function foldRows(rows: readonly ComparedRow[]): ShownRow[] {
  const shown: ShownRow[] = []
  let same: SameRow[] = []
  const close = (isLast: boolean) => {
    const isFirst = shown.length === 0
    const head = isFirst ? 0 : 1
    const tail = isLast ? same.length : same.length - 1
    const folded = same.slice(head, Math.max(head, tail))
    if (folded.length < least) shown.push(...same)
    else shown.push(...same.slice(0, head), { kind: 'fold', rows: folded }, ...same.slice(tail))
    same = []
  }
  for (const row of rows) {
    if (row.kind === 'same') same.push(row)
    else {
      close(false)
      shown.push(row)
    }
  }
  close(true)
  return shown
}
