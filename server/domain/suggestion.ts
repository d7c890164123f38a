import type { Anchor, Range } from '../contract/records.ts'
import { carryRange } from './carry.ts'
import { ChangeMap } from './change-map.ts'
import { applyChanges, ChangeSet, replacementByWords } from './change-set.ts'
import { findFirst } from './quote-search.ts'
import type { Work } from './work.ts'

/** What is needed to know where a suggestion applies. `range` is where its words were last carried to. */
export interface SuggestionPlace {
  original_text: string
  anchor: Anchor | null
  range: Range | null
}

export interface Suggestion extends SuggestionPlace {
  suggested_text: string
}

export interface Applied {
  content: string
  changes: ChangeSet
  /** Where the suggested text stands now; empty for a deletion. */
  range: Range
}

/**
 * Where accepting would apply now: only ever a place whose text equals `original_text` exactly. With an anchor that is
 * where the anchor stands, and nowhere else; without one it is the first such place. Null too where looking for it
 * would exceed `work`.
 */
export function placeSuggestion(
  content: string,
  { original_text: words, anchor, range }: SuggestionPlace,
  work: Work = { left: Infinity },
): Range | null {
  if (!words) return null
  const at = (start: number) =>
    start >= 0 && content.startsWith(words, start) ? { start, end: start + words.length } : null
  if (range && range.end - range.start === words.length && content.startsWith(words, range.start)) {
    return at(range.start)
  }
  if (anchor) return range && at(startWithin(content, words, anchor, range))
  if (work.left < content.length) return null
  work.left -= content.length
  return at(findFirst(content, words))
}

/** Where the words begin if they are only a part of what an anchor stands on, or that is a part of them; else -1. */
function startWithin(content: string, words: string, { exact }: Anchor, { start, end }: Range): number {
  const around = findFirst(words, exact)
  if (around >= 0) return start - around
  const standing = content.slice(start, end)
  if (standing === exact) return shifted(findFirst(exact, words), start)
  const first = findFirst(standing, words)
  // Of several it might be any.
  const isOnly = first >= 0 && findFirst(standing.slice(first + 1), words) < 0
  return isOnly ? start + first : -1
}

const shifted = (at: number, by: number) => (at < 0 ? at : at + by)

/** The text with the suggestion applied to one occurrence, literally; null when its words aren't there. */
export function applySuggestion(content: string, suggestion: Suggestion): Applied | null {
  const place = placeSuggestion(content, suggestion)
  if (!place) return null
  const { suggested_text: words } = suggestion
  const changes = replacementByWords(content, place.start, place.end, words)
  return {
    content: applyChanges(content, changes),
    changes,
    range: { start: place.start, end: place.start + words.length },
  }
}

/**
 * Applies several suggestions in order, each to the result of those before it, with the places of the others carried
 * along. `applied` says of each, in the same order, what it did, or null where its words weren't there any more. One
 * whose own words another one has replaced is not applied to the same words elsewhere, which it wasn't about.
 */
export function applySuggestions(
  content: string,
  suggestions: readonly Suggestion[],
): { content: string; changes: ChangeSet; applied: (Applied | null)[] } {
  let changes = ChangeSet.empty(content.length)
  const applied: (Applied | null)[] = []
  let now = content
  for (const suggestion of suggestions) {
    // Without either it is about the first such words, whichever those are when its turn comes.
    const place = (suggestion.range ?? suggestion.anchor) && placeSuggestion(content, suggestion)
    const range = place && carryRange(ChangeMap.of(changes), place)
    const isLost = place && (!range || now.slice(range.start, range.end) !== suggestion.original_text)
    const outcome = isLost ? null : applySuggestion(now, { ...suggestion, range })
    applied.push(outcome)
    if (!outcome) continue
    changes = changes.compose(outcome.changes)
    now = outcome.content
  }
  return { content: now, changes, applied }
}
