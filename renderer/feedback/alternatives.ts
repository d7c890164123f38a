import type { Suggestion } from '../../server/contract/records/suggestions.ts'

/**
 * Suggestions by the words that they would change, each group in the order given: those of one group stand for the very
 * same words, so that only one of them can be taken.
 */
export function alternativesOf<One extends Pick<Suggestion, 'id' | 'range'>>(
  suggestions: readonly One[],
): readonly (readonly One[])[] {
  const groups = new Map<string, One[]>()
  for (const suggestion of suggestions) {
    const { id, range } = suggestion
    // What is only put in takes nothing from another.
    const key = range && range.start < range.end ? `${range.start}-${range.end}` : id
    const group = groups.get(key)
    if (group) group.push(suggestion)
    else groups.set(key, [suggestion])
  }
  return [...groups.values()]
}
