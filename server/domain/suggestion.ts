import { carryRange, placeAnchor, type Anchor, type Range } from './anchor.ts'
import { applyChanges, ChangeSet, replacementByWords } from './change-set.ts'

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
 * Where accepting would apply now: only ever a place whose text equals `original_text` exactly. First the range the
 * words were carried to, then where the anchor finds them, then their first occurrence.
 */
export function placeSuggestion(content: string, suggestion: SuggestionPlace): Range | null {
  const { original_text: words, anchor, range } = suggestion
  if (!words) return null
  if (range && range.end - range.start === words.length && content.startsWith(words, range.start)) {
    return { start: range.start, end: range.end }
  }
  const placed = anchor && placeAnchor(content, anchor)
  if (placed) {
    const at = content.slice(placed.start, placed.end).indexOf(words)
    if (at >= 0) return { start: placed.start + at, end: placed.start + at + words.length }
  }
  const first = content.indexOf(words)
  return first < 0 ? null : { start: first, end: first + words.length }
}

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
 * along. `applied` says of each, in the same order, what it did, or null where its words weren't there any more.
 */
export function applySuggestions(
  content: string,
  suggestions: readonly Suggestion[],
): { content: string; changes: ChangeSet; applied: (Applied | null)[] } {
  let changes = ChangeSet.empty(content.length)
  const applied: (Applied | null)[] = []
  let now = content
  for (const suggestion of suggestions) {
    const range = suggestion.range && carryRange(changes, suggestion.range)
    const outcome = applySuggestion(now, { ...suggestion, range })
    applied.push(outcome)
    if (!outcome) continue
    changes = changes.compose(outcome.changes)
    now = outcome.content
  }
  return { content: now, changes, applied }
}
