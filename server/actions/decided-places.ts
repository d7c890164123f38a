import { limits } from '../contract/limits.ts'
import type { Range } from '../contract/records/anchors.ts'
import { placeDecided } from '../domain/anchors/decided-suggestion.ts'
import type { Store } from '../store/store.ts'

/** How far is looked, for all of them together: about a hundred of them in 200 KB. */
const searchedInAll = 20_000_000

/** Where those of the named suggestions that are decided show in a text. */
export function decidedPlaces(
  { suggestions }: Store,
  { number, content }: { number: number; content: string },
  named: string | undefined,
): { id: string; kind: 'suggestion'; range: Range | null }[] {
  const ids = [...new Set(named?.split(',') ?? [])].slice(0, limits.decidedMarks)
  const work = { left: searchedInAll }
  return ids.flatMap((id) => {
    const suggestion = suggestions.find(id, number)
    if (!suggestion || suggestion.status === 'pending') return []
    const { accepted_text, suggested_text } = suggestion
    const shown = { ...suggestion, suggested_text: accepted_text ?? suggested_text }
    return { id, kind: 'suggestion' as const, range: placeDecided(content, shown, work) }
  })
}
