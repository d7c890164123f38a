import type { Anchor } from '../../../server/contract/records/anchors.ts'
import { toLf } from '../../../server/domain/line-endings.ts'
import type { EditedText } from '../edited-text.svelte.ts'
import type { UnsentSuggestion } from './unsent-suggestions.ts'

type Place = { from: number; to: number }

/**
 * Where a suggestion that a closed window has left stands in a text with line feeds. Null where that isn’t sure; then
 * the server knows more, which has the changes in between.
 */
export function placeOfLeft(text: EditedText, left: UnsentSuggestion): Place | null {
  const { anchor, original, isDetached } = left
  if (isDetached || original !== anchor.exact) return null
  const place = followed(text, anchor) ?? found(text, anchor)
  return place && text.current.slice(place.from, place.to) === toLf(original) ? place : null
}

function followed(text: EditedText, { start, exact, revision }: Anchor): Place | null {
  if (revision === undefined) return null
  return text.lineFedPlaceNow({ start, end: start + exact.length }, revision)
}

/** By what stands around it: where it was, or else in one place only. */
function found({ stored, lines }: EditedText, { prefix, exact, suffix, start }: Anchor): Place | null {
  const around = prefix + exact + suffix
  const first = stored.startsWith(around, start - prefix.length)
    ? start - prefix.length
    : stored.indexOf(around)
  if (first < 0 || (around === '' && stored !== '')) return null
  if (first !== start - prefix.length && stored.includes(around, first + 1)) return null
  const from = first + prefix.length
  return { from: lines.toEditor(from), to: lines.toEditor(from + exact.length) }
}
