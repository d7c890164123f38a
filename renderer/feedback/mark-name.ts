import type { Mark } from '../../server/contract/records/rendering.ts'
import { quoteOf } from './threads.ts'

/** What a screen reader says of a mark in a text that is read; of a suggestion `suggestionName` says more. */
export const markName = ({ kind }: Mark, range: Range, author = 'Guest'): string =>
  `${kind === 'comment' ? 'Comment' : 'Suggestion'} by ${author}${onWords(range)}`

export const onWords = (range: Range): string => ` on “${quoteOf(range.toString(), 80)}”`
