import type { Anchor, Range } from '../../contract/records/anchors.ts'
import type { SuggestionStatus } from '../../contract/records/suggestions.ts'
import { placeAnchor } from './place-anchor.ts'
import type { Budget } from '../budget.ts'

/** What is needed to know where a decided suggestion shows. */
export interface DecidedSuggestion {
  status: SuggestionStatus
  original_text: string
  suggested_text: string
  anchor: Anchor | null
}

/** How much of what stands around the words has to stand there still, on one side at least. */
const NEAR = 8
/** How much of its surroundings stands for a passage that was left out. */
const SEAM = 16
/** How much may have come between them. */
const BETWEEN = 2_000

/**
 * Where to show what became of a decided suggestion: the accepted words, the words on both sides of where others were
 * left out, or of a rejected one the words that stayed. Null where they aren’t to be found any more, or one can’t say
 * which of several they are. Nothing is ever changed at this place.
 */
export function placeDecided(content: string, suggestion: DecidedSuggestion, budget?: Budget): Range | null {
  const { anchor, original_text, status, suggested_text } = suggestion
  if (!anchor) return null
  const { prefix, start, suffix } = anchor
  if (status !== 'accepted') return placeExactly(content, { ...anchor, exact: original_text }, budget)
  if (suggested_text.trim() !== '') return placeExactly(content, { ...anchor, exact: suggested_text }, budget)
  const before = prefix.slice(-SEAM)
  const after = suffix.slice(0, SEAM)
  const seam = { exact: before + after, prefix: '', suffix: '', start: Math.max(0, start - before.length) }
  return placeExactly(content, seam, budget) ?? sideOfSeam(content, suggestion, budget)
}

/** Where others have put something between both sides of words that are left out still: the side before that, or behind. */
function sideOfSeam(content: string, { anchor, original_text }: DecidedSuggestion, budget?: Budget) {
  const { prefix, start, suffix } = anchor!
  const [before, after] = [prefix.slice(-SEAM), suffix.slice(0, SEAM)]
  if (before.trim() === '' || after.trim() === '') return null
  const from = Math.max(0, start - before.length)
  const first = { exact: before, prefix: prefix.slice(0, -SEAM), suffix: '', start: from }
  const one = placeExactly(content, first, budget)
  if (!one) return null
  const next = { exact: after, prefix: '', suffix: suffix.slice(SEAM), start: one.end }
  const other = placeExactly(content, next, budget)
  if (!other || other.start < one.end || other.start - one.end > BETWEEN) return null
  return content.slice(one.end, other.start).includes(original_text.trim()) ? null : one
}

function placeExactly(content: string, anchor: Anchor, budget?: Budget): Range | null {
  const range = placeAnchor(content, anchor, budget)
  if (!range || content.slice(range.start, range.end) !== anchor.exact) return null
  const before = anchor.prefix.slice(-NEAR)
  const after = anchor.suffix.slice(0, NEAR)
  const isThere = content.endsWith(before, range.start) || content.startsWith(after, range.end)
  return isThere ? range : null
}
