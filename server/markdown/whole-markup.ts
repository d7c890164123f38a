import type { Token } from 'marked'
import { readMarkup, type Leaf, type MarkedSpan, type Table } from './markup.ts'
import type { SourceRange } from './rendered.ts'
import { holds, lineEnd, lineStart, overlaps, trimmed, union } from './source-range.ts'

/**
 * What a change of these words has to take in so that no half of the markup around them stays behind: an end that lies
 * within markup which begins or ends inside the range takes in all of that. Words that are left out, `deletes`, take
 * all markup with them that would stand around nothing: emphasis, the marker of a list item, the `>` of a quote,
 * the borders of a table’s row.
 */
export function wholeMarkup(source: string, range: SourceRange, deletes = false): SourceRange {
  const markup = readMarkup(source, range)
  if (!markup) return range
  const widened = overSpans(source, range, markup.spans, deletes)
  return deletes ? overBlocks(source, overRows(source, widened, markup.tables), markup.leaves) : widened
}

/** Whether all of a range stands in one table, where a `|` ends a cell and a line end the row. */
export function isInTable(source: string, range: SourceRange): boolean {
  return readMarkup(source, range)?.tables.some(({ whole }) => holds(whole, range)) ?? false
}

function overSpans(
  source: string,
  range: SourceRange,
  spans: readonly MarkedSpan[],
  deletes: boolean,
): SourceRange {
  let now = range
  for (let before: SourceRange | null = null; before !== now;) {
    before = now
    for (const { whole, shown } of spans) {
      if (now.start >= whole.end || now.end <= whole.start || holds(now, whole)) continue
      const inside = holds(shown, now)
      if (!inside || (deletes && holds(now, shown))) now = union(now, whole)
      else if (deletes) now = overSpace(source, now, shown)
    }
  }
  return now
}

/** Emphasis that would begin or end with a space is none. */
function overSpace(source: string, range: SourceRange, shown: SourceRange): SourceRange {
  let { start, end } = range
  if (range.start === shown.start) while (end < shown.end && /\s/.test(source[end]!)) end++
  if (range.end === shown.end) while (start > shown.start && /\s/.test(source[start - 1]!)) start--
  return start === range.start && end === range.end ? range : { start, end }
}

/** Rows of which no words stay go as whole lines; with the last of them the table goes. The head alone doesn’t. */
function overRows(source: string, range: SourceRange, tables: readonly Table[]): SourceRange {
  let now = range
  for (const { whole, rows } of tables) {
    const touched = rows.filter((cells) => cells.some((cell) => overlaps(cell, range)))
    const first = touched[0]?.[0]
    const last = touched.at(-1)?.at(-1)
    if (!first || !last || !touched.flat().every((cell) => holds(range, cell))) continue
    if (touched.length === rows.filter((cells) => cells.length > 0).length)
      now = union(now, trimmed(source, whole))
    else if (touched[0] !== rows[0])
      now = union(now, { start: lineStart(source, first.start), end: lineEnd(source, last.end) })
  }
  return now
}

function overBlocks(source: string, range: SourceRange, leaves: readonly Leaf[]): SourceRange {
  const touched = leaves.filter(({ shown }) => shown.start < range.end && shown.end > range.start)
  const [first, last] = [touched[0], touched.at(-1)]
  if (!first || !last || !holds(range, first.shown) || !holds(range, last.shown)) return range
  if (first.within.some(({ type }) => type === 'footnote')) return range

  const index = leaves.indexOf(first)
  const next = leaves[leaves.indexOf(last) + 1]
  const isFirstOf = (container: Token) =>
    !leaves.slice(0, index).some(({ within }) => within.includes(container))
  // An item of which other words stay keeps its marker for them.
  const kept = first.within.find(
    (container) => container.type === 'list_item' && isFirstOf(container) && next?.within.includes(container),
  )
  if (kept && next?.within.at(-1) === kept && first.within.at(-1) === kept)
    return { start: Math.min(range.start, first.whole.start), end: next.whole.start }

  let start = lineStart(source, Math.min(range.start, first.whole.start))
  let end = lineEnd(source, Math.max(range.end, trimmed(source, last.whole).end))
  // Where it stood apart on both sides, what it stood between stays apart once.
  const above = source.lastIndexOf('\n', start - 2) + 1
  const below = lineEnd(source, end)
  const isApart = start === 0 || blank.test(source.slice(above, start))
  if (isApart && end < source.length && blank.test(source.slice(end, below))) {
    // A sign of a quote is left to nobody.
    if (source.slice(above, start).includes('>') && !source.slice(end, below).includes('>')) start = above
    else
      while (end < source.length && blank.test(source.slice(end, lineEnd(source, end))))
        end = lineEnd(source, end)
  }
  if (end === source.length) while (start > 1 && /\n\r?\n$/.test(source.slice(0, start))) start--
  return { start, end }
}

/** A line with nothing on it but the signs of quotes. */
const blank = /^[\s>]*$/
