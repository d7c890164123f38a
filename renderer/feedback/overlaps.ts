import type { Suggestion } from '../../server/contract/records/suggestions.ts'

type Ranged = Pick<Suggestion, 'id' | 'range'>

/**
 * For each suggestion those others that would change some of its words, but not the very same: once one is accepted, the
 * other may have no place any more. What is only put in takes nothing from another.
 */
export function overlapsOf<One extends Ranged>(
  suggestions: readonly One[],
): ReadonlyMap<string, readonly One[]> {
  const found = new Map<string, One[]>()
  const note = (one: One, other: One) => found.set(one.id, [...(found.get(one.id) ?? []), other])
  const placed = suggestions.flatMap((one) =>
    one.range && one.range.start < one.range.end ? { one, ...one.range } : [],
  )
  let open: typeof placed = []
  for (const next of placed.sort((a, b) => a.start - b.start || a.end - b.end)) {
    open = open.filter(({ end }) => end > next.start)
    for (const before of open) {
      if (before.start === next.start && before.end === next.end) continue
      note(before.one, next.one)
      note(next.one, before.one)
    }
    open.push(next)
  }
  return found
}
