import type { Anchor } from '../../contract/records/anchors.ts'
import type { Budget } from '../budget.ts'
import type { TextChange } from '../change-map.ts'
import type { Readable } from '../pieced-text.ts'
import { CONTEXT } from './anchor.ts'
import { findExact } from './exact-search.ts'
import { findInRanges } from './quotes-in-ranges.ts'

/**
 * Where places are that stood nowhere, if a change has put back what stood around them: all that their anchors know of
 * it is there exactly as it was, some of it came with the change, and it is so in one place only. So a line may be as
 * short as it likes.
 */
export function placesPutBack(
  anchors: readonly Anchor[],
  { after, map }: TextChange<Readable>,
  budget: Budget,
): (number | null)[] {
  if (anchors.length === 0 || map.inserted.length === 0) return anchors.map(() => null)
  const known = anchors.map(({ prefix, suffix }) => {
    const left = prefix.slice(-CONTEXT)
    return { left, around: left + suffix.slice(0, CONTEXT) }
  })
  const words = known.flatMap(({ around }) => (around === '' ? [] : [around]))
  const found = findInRanges(after, map.inserted, words, budget)
  return known.map(({ left, around }, i) => {
    const [start, ...more] = found.get(around) ?? []
    if (start === undefined || more.length > 0) return null
    const at = start + left.length
    // An anchor that knows of less was at an end of the text.
    const isAll =
      (left.length >= CONTEXT - 1 || start === 0) &&
      (anchors[i]!.suffix.length >= CONTEXT - 1 || start + around.length === after.length)
    budget.left -= after.length
    if (!isAll || budget.left < 0) return null
    return findExact(after.toString(), around, 0, after.length, budget).length === 1 ? at : null
  })
}
