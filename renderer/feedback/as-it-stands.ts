import type { Suggestion } from '../../server/contract/records/suggestions.ts'

/** What of a suggestion says where it stands. */
type Standing = Pick<Suggestion, 'anchor' | 'range' | 'around'>

/** A suggestion among the words that stand around it by now; of one that stands nowhere, among those of when it was made. */
export function asItStands<One extends Standing>(suggestion: One): One {
  const { anchor, range, around } = suggestion
  if (!anchor || !range || !around) return suggestion
  const now = { ...anchor, prefix: around.before, suffix: around.behind, start: range.start }
  return { ...suggestion, anchor: now }
}
