import type { Range } from '../contract/records/anchors.ts'
import { plainEditByDecision, type AnchoredRecord, type Edited } from './document-change.ts'
import { keepInsertionsInOrder } from './insertions-in-order.ts'
import { applySuggestions, type SuggestedChange } from './suggestion.ts'

export interface Acceptance {
  content: string
  /** In the order in which they are applied. */
  suggestions: readonly (SuggestedChange & Pick<AnchoredRecord, 'id' | 'lineEnds'>)[]
  /** All others of the document. */
  anchors: readonly AnchoredRecord[]
  /** The ids of all that put something in, in the order in which they are shown. */
  order?: readonly string[]
}

export interface Accepted {
  /** Of each suggestion, in the same order, whether its words were still there. */
  applied: boolean[]
  /** And where what it says stands in the new text; null where it wasn’t applied, or another one has changed it. */
  places: (Range | null)[]
  /** What all of them are together; null if none was applied. */
  edit: Edited<string> | null
}

/** What becomes of a text as suggestions are accepted, as one change; those that are need no place any more. */
export function acceptSuggestions({ content, suggestions, anchors, order = [] }: Acceptance): Accepted {
  const { changes, applied, places } = applySuggestions(content, suggestions)
  if (!applied.includes(true)) return { applied, places, edit: null }
  const left = suggestions.flatMap(
    ({ id, anchor, range, original_text, suggested_text, lineEnds = null }, i) => {
      if (applied[i] || anchor === null) return []
      const one = { id, kind: 'suggestion' as const, anchor, range }
      return original_text === '' ? { ...one, suggested_text, lineEnds } : one
    },
  )
  const all = [...anchors, ...left]
  const edit = plainEditByDecision(content, changes, all)
  const put = suggestions.flatMap(({ id, original_text, range }, i) => {
    const place = places[i]
    return applied[i] && place && range && original_text === '' ? [{ id, at: range.start, place }] : []
  })
  return { applied, places, edit: { ...edit, moved: keepInsertionsInOrder(edit.moved, all, put, order) } }
}
