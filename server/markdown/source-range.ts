import type { SourceRange } from './rendered.ts'

export const holds = (outer: SourceRange, inner: SourceRange) =>
  outer.start <= inner.start && outer.end >= inner.end
export const union = (a: SourceRange, b: SourceRange) => ({
  start: Math.min(a.start, b.start),
  end: Math.max(a.end, b.end),
})
export const overlaps = (a: SourceRange, b: SourceRange) => a.start < b.end && b.start < a.end

/** Where the line begins that holds the character at `at`. */
export const lineStart = (source: string, at: number) => (at > 0 ? source.lastIndexOf('\n', at - 1) + 1 : 0)

/** Where the line ends that holds the character at `at`: behind its line end. */
export function lineEnd(source: string, at: number): number {
  const stop = source.indexOf('\n', at)
  return stop < 0 ? source.length : stop + 1
}

/** The same without the lines and spaces at its end. */
export const trimmed = (source: string, { start, end }: SourceRange): SourceRange => ({
  start,
  end: start + source.slice(start, end).trimEnd().length,
})
