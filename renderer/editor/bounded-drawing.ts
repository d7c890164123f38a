import type { Range, Text } from '@codemirror/state'
import type { Decoration } from '@codemirror/view'

/**
 * So many words and signs have a look of their own in one line, and in all that is in view. Browsers lay out a few
 * thousand elements in the time in which nobody notices; of thousands of real texts none has half as many.
 */
export const mostDrawn = { line: 300, view: 2_000 }

/**
 * What is drawn of all that could be: a line with more than that, and those behind it where it is too much in all, are
 * shown as they are written. What whole lines look like stays.
 */
export function boundedDrawing(doc: Text, all: readonly Range<Decoration>[]): Range<Decoration>[] {
  const inLines = all.filter(({ from, to }) => from < to)
  if (inLines.length <= mostDrawn.line) return [...all]
  const perLine = new Map<number, number>()
  const startOf = ({ from }: Range<Decoration>) => doc.lineAt(from).from
  for (const one of inLines) perLine.set(startOf(one), (perLine.get(startOf(one)) ?? 0) + 1)
  const plain = new Set<number>()
  let inView = 0
  for (const [start, count] of [...perLine].sort(([a], [b]) => a - b)) {
    if (count > mostDrawn.line || inView + count > mostDrawn.view) plain.add(start)
    else inView += count
  }
  return plain.size === 0 ? [...all] : all.filter((one) => one.from === one.to || !plain.has(startOf(one)))
}
