import type { Range } from '../contract/records/anchors.ts'
import { plainEditByDecision, type AnchoredRecord, type Edited } from './document-change.ts'
import { keepApartTogether, keepLinesApart, sharedEnd } from './anchors/lines-apart.ts'
import { noteTakenOut } from './anchors/places-before-decisions.ts'
import { ChangeMap } from './change-map.ts'
import { keepInsertionsInOrder } from './insertions-in-order.ts'
import { applySuggestions, placeSuggestion, type SuggestedChange } from './suggestion.ts'

export interface Acceptance {
  content: string
  /** In the order in which they are applied. */
  suggestions: readonly (SuggestedChange & Pick<AnchoredRecord, 'id' | 'lineEnds' | 'takenOut'>)[]
  /** All others of the document. */
  anchors: readonly AnchoredRecord[]
  /** The ids of all that put something in, in the order in which they were made. */
  order?: readonly string[]
  /** Of the text once they are accepted; where it isn’t said, nothing is noted of what stood in what goes. */
  revision?: number
}

export interface Accepted {
  /** Of each suggestion that has had its turn, in the same order, whether its words were still there. */
  applied: boolean[]
  /** And where what it says stands in the new text; null where it wasn’t applied, or another one has changed it. */
  places: (Range | null)[]
  /** What all of them are together; null if none was applied. */
  edit: Edited<string> | null
}

/**
 * What becomes of a text as suggestions are accepted, as one change; those that are need no place any more. All is as if
 * they were accepted one by one: from one on that others have touched, they have their turn in the new text.
 */
export function acceptSuggestions(acceptance: Acceptance): Accepted {
  const { content, suggestions: asked, anchors, order = [], revision } = acceptance
  const turns = new Map(order.map((id, turn) => [id, turn]))
  const suggestions = keepApartTogether(asked, content, ({ id }) => turns.get(id) ?? Infinity)
  const inTurn = suggestions.map((one) => ({ ...one, turn: turns.get(one.id) }))
  const { changes, applied, places: all } = applySuggestions(content, inTurn)
  if (applied.length < asked.length) {
    const left = asked.slice(applied.length).filter(({ anchor }) => anchor !== null)
    const first = {
      suggestions: asked.slice(0, applied.length),
      anchors: [...anchors, ...left.map(recordOf)],
    }
    return acceptSuggestions({ ...acceptance, ...first })
  }
  const places = all.map((place, i) => place && { ...place, end: place.end - sharedEnd(suggestions[i]!) })
  if (!applied.includes(true)) return { applied, places, edit: null }
  const left = asked.flatMap((one, i) => (applied[i] || one.anchor === null ? [] : [recordOf(one)]))
  const standing = [...anchors, ...left]
  const edit = plainEditByDecision(content, changes, standing)
  const put = suggestions.flatMap(({ range, original_text, ...one }, i) => {
    const place = places[i]
    return applied[i] && place && range && original_text === '' ? [{ ...one, at: range.start, place }] : []
  })
  const map = ChangeMap.of(changes)
  const accepted = suggestions.flatMap((one, i) => {
    const { id, takenOut } = one
    const place = places[i]
    if (!applied[i] || !place || !one.range || sharedEnd(one) > 0) return []
    // Others’ words within it aren’t what it was for.
    return [{ id, range: placeSuggestion(content, one) ?? one.range, place, takenOut }]
  })
  const inOrder = keepInsertionsInOrder(edit.moved, standing, accepted, order)
  const apart = keepLinesApart(inOrder, standing, put, { before: content, after: edit.content, map })
  const isReworded = (i: number) => applied[i] && suggestions[i] !== asked[i]
  const reworded = suggestions.filter((_, i) => isReworded(i)).map(recordOf)
  const moved = [...apart, ...reworded]
  if (revision === undefined) return { applied, places, edit: { ...edit, moved } }
  // What goes in where another one takes out what stands beside it is on its own side of that, whichever is undone first.
  const isPutIn = (i: number) => applied[i] && asked[i]!.original_text === ''
  const noted = asked.filter((_, i) => isReworded(i) || isPutIn(i)).map(recordOf)
  const touched = [...standing, ...noted]
  return { applied, places, edit: { ...edit, moved: noteTakenOut(moved, touched, map, revision) } }
}

function recordOf(one: Acceptance['suggestions'][number]): AnchoredRecord {
  const { id, anchor, range, original_text, suggested_text, lineEnds = null, takenOut = [] } = one
  const record = { id, kind: 'suggestion' as const, anchor, range, takenOut }
  return original_text === '' ? { ...record, suggested_text, lineEnds } : record
}
