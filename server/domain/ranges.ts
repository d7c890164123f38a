import type { Range } from '../contract/records/anchors.ts'

/** Ranges that reach further on both sides, those that meet made one. */
export function widened(ranges: readonly Range[], by: number, length: number): Range[] {
  const wide: Range[] = []
  for (const range of ranges) {
    const start = Math.max(0, range.start - by)
    const end = Math.min(length, range.end + by)
    const last = wide.at(-1)
    if (last && start <= last.end) last.end = end
    else wide.push({ start, end })
  }
  return wide
}

/** What of the ranges, which are in order, is within another one. */
export function rangesWithin(ranges: readonly Range[], { start, end }: Range): Range[] {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.end <= start) low = middle + 1
    else high = middle
  }
  const within: Range[] = []
  for (let range = ranges[low]; range && range.start < end; range = ranges[++low]) {
    within.push({ start: Math.max(range.start, start), end: Math.min(range.end, end) })
  }
  return within
}
