import { proseDiff } from '../../../server/domain/diff-segments.ts'
import { ofWholeGraphemes } from '../../../server/domain/whole-graphemes.ts'

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
  const hunks = proseDiff(original, suggested, { left: budget })
  return ofWholeGraphemes(original, suggested, hunks).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    insert: suggested.slice(fromB, toB),
  }))
}
