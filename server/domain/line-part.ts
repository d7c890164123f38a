/** Some whole lines of a text: where they stand, in UTF-16 code units, and which they are, from 1 on. */
export interface LinePart {
  start: number
  end: number
  first: number
  last: number
}

/** Whether a line ends before `at`: with a line feed, a carriage return, or both. */
export function endsBefore(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1)
  return code === 10 || (code === 13 && text.charCodeAt(at) !== 10)
}

/** From one line to another, both with their ends; null if the text has no such line. */
export function linesFrom(text: string, first: number, last: number): LinePart | null {
  let line = 1
  let start = first === 1 ? 0 : -1
  for (let at = 1; at <= text.length; at++) {
    if (!endsBefore(text, at)) continue
    if (line === last) return { start, end: at, first, last }
    line++
    if (line === first) start = at
  }
  return start < 0 ? null : { start, end: text.length, first, last: line }
}

/** How many lines a text has. Behind its last line's end none begins. */
export function countLines(text: string): number {
  let ends = 0
  for (let at = 1; at <= text.length; at++) if (endsBefore(text, at)) ends++
  return text.length > 0 && endsBefore(text, text.length) ? ends : ends + 1
}

/** The lines that each of some stretches goes over. The text is read once, however many these are. */
export function linesOver(
  text: string,
  stretches: readonly { start: number; end: number }[],
): { first: number; last: number }[] {
  const lastOf = ({ start, end }: { start: number; end: number }) => Math.max(start, end - 1)
  const offsets = stretches.flatMap((one) => [one.start, lastOf(one)]).toSorted((a, b) => a - b)
  const lines = new Map<number, number>()
  let line = 1
  let at = 1
  for (const offset of offsets) {
    for (; at <= offset; at++) if (endsBefore(text, at)) line++
    lines.set(offset, line)
  }
  return stretches.map((one) => ({ first: lines.get(one.start)!, last: lines.get(lastOf(one))! }))
}
