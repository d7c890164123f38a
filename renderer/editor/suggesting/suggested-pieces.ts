import type { Suggestion } from '../../../server/contract/records/suggestions.ts'
import { toldDiff } from '../../../server/domain/diff-segments.ts'

/** What a suggestion takes out of its original words, and puts in there. */
export interface Piece {
  from: number
  to: number
  insert: string
}

/** What comparing may take, as many suggestions are compared at once; the pieces of very long ones are coarser. */
const budget = 2_000_000

/**
 * What a suggestion changes, word by word: pieces in order, which don't touch. Replacing them gives what is suggested.
 * None begins or ends within a grapheme of either text.
 */
export function suggestedPieces(original: string, suggested: string): Piece[] {
  if (original === suggested) return []
  return toldDiff(original, suggested, { left: budget }).map(({ fromA, toA, fromB, toB }) => ({
    ...{ from: fromA, to: toA },
    insert: suggested.slice(fromB, toB),
  }))
}

/** What a suggestion changes within the words it stands on. */
export function piecesOf({ original_text, suggested_text, range }: Suggestion): Piece[] {
  const length = range ? range.end - range.start : original_text.length
  if (length === original_text.length) return suggestedPieces(original_text, suggested_text)
  return [{ from: 0, to: length, insert: suggested_text }]
}
