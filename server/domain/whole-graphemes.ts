import { joinTouching, type Hunk } from './hunk.ts'

/** The same differences, widened to where a grapheme ends in both texts. */
export function ofWholeGraphemes(before: string, after: string, hunks: readonly Hunk[]): Hunk[] {
  const [endsInA, endsInB] = [graphemeEnds(before), graphemeEnds(after)]
  const whole: Hunk[] = []
  for (const [i, hunk] of hunks.entries()) {
    let { fromA, toA, fromB, toB } = hunk
    const least = whole.at(-1)?.toA ?? 0
    while (fromA > least && !(endsInA(fromA) && endsInB(fromB))) {
      fromA--
      fromB--
    }
    const most = hunks[i + 1]?.fromA ?? before.length
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
