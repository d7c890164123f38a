import type { Suggestion } from '../../server/contract/records/suggestions.ts'

/**
 * The pending ones in the order of the text, those that can’t be applied after them; then the decided ones, the
 * latest decision first.
 */
export function inReadingOrder(suggestions: readonly Suggestion[]): Suggestion[] {
  return [...suggestions].sort((a, b) => {
    const rank = rankOf(a) - rankOf(b)
    if (rank !== 0) return rank
    if (a.status !== 'pending')
      return compare(b.resolved_at ?? '', a.resolved_at ?? '') || compare(a.id, b.id)
    return (
      (a.range?.start ?? 0) - (b.range?.start ?? 0) ||
      compare(a.created_at, b.created_at) ||
      compare(a.id, b.id)
    )
  })
}

function rankOf({ status, range }: Suggestion): number {
  if (status !== 'pending') return 2
  return range ? 0 : 1
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
