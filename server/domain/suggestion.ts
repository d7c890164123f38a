import type { Anchor, Range } from '../contract/records.ts'
import { findAtOffset, withOffset } from './anchor.ts'
import { carryRange } from './carry.ts'
import { ChangeMap } from './change-map.ts'
import { applyChanges, ChangeSet, replacementByWords } from './change-set.ts'
import { bestMatch, CONTEXT, findExact, findFirst } from './quote-search.ts'
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
 * Where accepting would apply now: only ever a place whose text equals `original_text` exactly. First the range the
 * words were carried to, then the occurrence that the anchor fits best, then the first one. Null too where finding
 * out would exceed `work`.
 */
export function placeSuggestion(
  content: string,
  suggestion: SuggestionPlace,
  work: Work = { left: Infinity },
): Range | null {
  const { original_text: words, anchor, range } = suggestion
  if (!words) return null
  const at = (start: number) => ({ start, end: start + words.length })
  if (range && range.end - range.start === words.length && content.startsWith(words, range.start)) {
    return at(range.start)
  }
  if (work.left < content.length) return null
  work.left -= content.length
  const first = findFirst(content, words)
  if (first < 0) return null
  const meant = anchor && anchorOfPart(anchor, words)
  if (!meant) return at(first)
  const atOffset = findAtOffset(content, meant)
  if (atOffset?.inContext) return at(meant.start)
  const from = Math.max(first, meant.start - NEARBY)
  const nearby = findExact(content, words, from, meant.start + NEARBY, work).slice(0, MOST_NEARBY)
  const best = bestMatch(content, meant, withOffset(nearby, atOffset), meant.start, work)
  return work.left < 0 ? null : at(best?.start ?? first)
}

/** How far from its old place the occurrence is looked for that an anchor means, and among how many. */
const NEARBY = 500_000
const MOST_NEARBY = 2_000

/** The anchor of the words alone that stand in an anchor's quote; null if they don't. */
function anchorOfPart({ exact, prefix, suffix, start }: Anchor, words: string): Anchor | null {
  const from = findFirst(exact, words)
  if (from < 0) return null
  return {
    exact: words,
    prefix: (prefix + exact.slice(0, from)).slice(-CONTEXT),
    suffix: (exact.slice(from + words.length) + suffix).slice(0, CONTEXT),
    start: start + from,
  }
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
