import type { Mark } from '../../server/contract/records/rendering.ts'
import type { Suggestion } from '../../server/contract/records/suggestions.ts'
import { suggestionName } from './suggestion-name.ts'
import { quoteOf } from './threads.ts'

/** What a screen reader says of a mark in a text that is read. */
export function markName({ kind }: Mark, range: Range, suggestion?: Suggestion, author = 'Guest'): string {
  if (suggestion) return suggestionName(suggestion)
  return `${kind === 'comment' ? 'Comment' : 'Suggestion'} by ${author}${onWords(range)}`
}

export const onWords = (range: Range): string => ` on “${quoteOf(range.toString(), 80)}”`
