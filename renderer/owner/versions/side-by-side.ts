import type { NumberedSegment } from '../../feedback/folded-diff.ts'

/** Lines that stand beside each other: as they were, and as they became. */
export interface Row {
  before: NumberedSegment[]
  after: NumberedSegment[]
}

/** A stretch of a comparison as rows, each ending where both texts end a line. */
export function sideBySide(segments: readonly NumberedSegment[]): Row[] {
  const rows: Row[] = []
  let row: Row = { before: [], after: [] }
  const close = () => {
    if (row.before.length + row.after.length > 0) rows.push(row)
    row = { before: [], after: [] }
  }
  for (const segment of segments) {
    if (segment.kind === 'removed') row.before.push(segment)
    else if (segment.kind === 'added') row.after.push(segment)
    else
      for (const text of segment.text.split(/(?<=\n)/)) {
        if (text === '') continue
        row.before.push({ ...segment, text })
        row.after.push({ ...segment, text })
        if (text.endsWith('\n')) close()
      }
  }
  close()
  return rows
}
