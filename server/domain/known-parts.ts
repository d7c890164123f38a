import type { ChangeDesc, ChangeSet } from '@codemirror/state'
import type { Range } from '../contract/records/anchors.ts'

/** A stretch of words, and where it stands in the text that the server knows. */
export interface KnownPart extends Range {
  in: number
}

export const later = (one: KnownPart, by: number): KnownPart => ({
  ...one,
  start: one.start + by,
  end: one.end + by,
})

/** Which of the text that changes leave stood there before. */
export function knownIn(changes: ChangeSet, from: number, to: number): KnownPart[] {
  const found: KnownPart[] = []
  changes.iterGaps((posA, posB, length) => {
    const [start, end] = [Math.max(from, posB), Math.min(to, posB + length)]
    if (start < end) found.push({ start: start - from, end: end - from, in: posA + start - posB })
  })
  return found
}

/** The same of stretches that stand where they are in the text, within a part of it that goes. */
export function partsWithin(all: readonly KnownPart[], from: number, to: number): KnownPart[] {
  return all.flatMap((one) => {
    const [start, end] = [Math.max(from, one.start), Math.min(to, one.end)]
    return start < end ? [{ start: start - from, end: end - from, in: one.in + start - one.start }] : []
  })
}

/** What of a stretch that stands where it is in the text changes of that leave, and where. */
export function stillHere(changes: ChangeDesc, part: KnownPart): KnownPart[] {
  const found: KnownPart[] = []
  changes.iterGaps((posA, posB, length) => {
    const [start, end] = [Math.max(part.start, posA), Math.min(part.end, posA + length)]
    if (start >= end) return
    const by = posB - posA
    found.push({ start: start + by, end: end + by, in: part.in + start - part.start })
  })
  return found
}

/** What of it changes leave, and where. */
export function stillThere(changes: ChangeDesc, part: KnownPart): KnownPart[] {
  const found: KnownPart[] = []
  const [from, to] = [part.in, part.in + part.end - part.start]
  changes.iterGaps((posA, posB, length) => {
    const [start, end] = [Math.max(from, posA), Math.min(to, posA + length)]
    if (start < end)
      found.push({
        start: part.start + start - from,
        end: part.start + end - from,
        in: posB + start - posA,
      })
  })
  return found
}

export function without(range: Range, parts: readonly Range[]): Range[] {
  const left: Range[] = []
  let { start } = range
  for (const one of parts) {
    if (one.end <= range.start || one.start >= range.end) continue
    if (start < one.start) left.push({ start, end: one.start })
    start = Math.max(start, one.end)
  }
  if (start < range.end) left.push({ start, end: range.end })
  return left
}

/** What of stretches changes leave, and what they take out. */
export function leftOver(
  all: readonly KnownPart[],
  changes: ChangeDesc,
): { left: KnownPart[]; gone: KnownPart[] } {
  const left = all.flatMap((one) => stillThere(changes, one))
  const gone = all.flatMap((one) => without(one, left).map((range) => ({ ...range, in: one.in })))
  return { left, gone }
}
