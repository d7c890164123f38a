import type { Anchor, Range } from '../contract/records/anchors.ts'
import { mapEnds } from './anchors/map-anchors.ts'
import { placeNewAnchor } from './anchors/place-through-log.ts'
import { ChangeMap } from './change-map.ts'
import { ChangeSet, hunksFromJson, wordReplacements, type LoggedChanges } from './change-set.ts'
import { editByChanges, type AnchoredRecord, type Edited } from './document-change.ts'

/** A suggestion with what its decision did. */
export interface Reopenable {
  status: 'accepted' | 'rejected'
  original_text: string
  suggested_text: string
  anchor: Anchor | null
  /** Where its anchor stood when it was decided. */
  range: Range | null
  /** At which revision it was decided; null where that isn’t known any more, or its log doesn’t lead on from there. */
  revision: number | null
  /** Where the suggested words stood in the text of that revision, if they were put in. */
  applied: Range | null
}

export interface Reopening {
  content: string
  suggestions: readonly Reopenable[]
  /** The changes since the oldest of their revisions, in order. */
  log: readonly { revision: number; changes: LoggedChanges }[]
  /** All that stand in the text now. */
  anchors: readonly AnchoredRecord[]
}

export interface Reopened {
  /** Of each suggestion, in the same order, where it stands as a pending one; null if it can’t be taken back. */
  outcomes: ({ range: Range | null } | null)[]
  /** What taking back all of them is together; null if that leaves the text as it is. */
  edit: Edited | null
}

/** Something accepted whose words still stand whole: where, and which of the suggestions it is. */
interface Standing {
  place: Range
  index: number
  suggestion: Reopenable
}

/**
 * What becomes of a text as decisions are taken back, as one change. Accepted words are taken out only from where they
 * were put in, and only if nothing was changed within them since; where several words were left out side by side, only
 * if it is known in which order they stood. All else in the text stays.
 */
export function reopenSuggestions({ content, suggestions, log, anchors }: Reopening): Reopened {
  const steps = log.map(({ revision, changes }) => {
    const { hunks, length } = hunksFromJson(changes)
    return { revision, changes, map: new ChangeMap(hunks, length) }
  })
  const since = (revision: number) => steps.filter((step) => step.revision > revision)

  const accepted = suggestions.flatMap((suggestion, index): Standing[] => {
    const { status, revision, applied } = suggestion
    if (status !== 'accepted' || revision === null || applied === null) return []
    let place: Range | null = applied
    for (const { map } of since(revision)) place &&= map.keptWhole(place)
    const stands = place && content.slice(place.start, place.end) === suggestion.suggested_text
    return stands ? [{ place: place!, index, suggestion }] : []
  })
  const standing = apart(accepted)
  const replaced = standing.map(({ place, suggestion }) =>
    wordReplacements(content, place.start, place.end, suggestion.original_text),
  )
  const changes = ChangeSet.of(replaced, content.length)
  const map = ChangeMap.of(changes)

  const outcomes = suggestions.map((suggestion): { range: Range | null } | null => {
    if (suggestion.status === 'accepted') return null
    const range = standsToday(content, suggestion, since)
    return { range: range && mapEnds(map, range) }
  })
  let shift = 0
  for (const { place, index, suggestion } of standing) {
    const { length } = suggestion.original_text
    const start = place.start + shift
    outcomes[index] = { range: suggestion.anchor && { start, end: start + length } }
    shift += length - (place.end - place.start)
  }
  return { outcomes, edit: changes.empty ? null : editByChanges(content, changes, anchors) }
}

/** In the order of the text; without those that overlap, or whose order isn’t known. */
function apart(standing: readonly Standing[]): Standing[] {
  const startedAt = ({ suggestion }: Standing) => suggestion.range?.start ?? -1
  const inOrder = standing.toSorted(
    (a, b) => a.place.start - b.place.start || a.place.end - b.place.end || startedAt(a) - startedAt(b),
  )
  const kept: Standing[] = []
  for (const one of inOrder) {
    const last = kept.at(-1)
    const isSamePlace = last?.place.start === one.place.start && last.place.end === one.place.end
    const isInOrder =
      last?.suggestion.revision === one.suggestion.revision &&
      startedAt(last) >= 0 &&
      startedAt(last) < startedAt(one)
    if (!last || (last.place.end <= one.place.start && (!isSamePlace || isInOrder))) kept.push(one)
  }
  return kept
}

/** Where the anchor of a rejected one stands in the text as it is now. */
function standsToday(
  content: string,
  { anchor, range, revision, original_text }: Reopenable,
  since: (revision: number) => readonly { changes: LoggedChanges }[],
): Range | null {
  if (!anchor) return null
  if (revision === null) return placeNewAnchor({ content, anchor })
  if (!range) return null
  const length = range.end - range.start
  const words = [original_text, anchor.exact].find((words) => words.length === length)
  const log = since(revision).map(({ changes }) => changes)
  if (words === undefined) return null
  return placeNewAnchor({ content, anchor: { ...anchor, exact: words, start: range.start }, log })
}
