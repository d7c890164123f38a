import { proseDiff } from '../../../server/domain/diff-segments.ts'
import { joinTouching, type Hunk } from '../../../server/domain/hunk.ts'

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

/** The same differences, widened to where a grapheme ends in both texts. */
function ofWholeGraphemes(original: string, suggested: string, hunks: readonly Hunk[]): Hunk[] {
  const [endsInA, endsInB] = [graphemeEnds(original), graphemeEnds(suggested)]
  const whole: Hunk[] = []
  for (const [i, hunk] of hunks.entries()) {
    let { fromA, toA, fromB, toB } = hunk
    const least = whole.at(-1)?.toA ?? 0
    while (fromA > least && !(endsInA(fromA) && endsInB(fromB))) {
      fromA--
      fromB--
    }
    const most = hunks[i + 1]?.fromA ?? original.length
    while (toA < most && !(endsInA(toA) && endsInB(toB))) {
      toA++
      toB++
    }
    whole.push({ fromA, toA, fromB, toB })
  }
  return joinTouching(whole)
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function graphemeEnds(text: string): (at: number) => boolean {
  const graphemes = segmenter.segment(text)
  return (at) => at === 0 || at === text.length || graphemes.containing(at)?.index === at
}
