import type { Range } from '../contract/records/anchors.ts'
import { followInsertion } from './anchors/insertion-place.ts'
import { mapEnds } from './anchors/anchors-after-changes.ts'
import { placeNewAnchor } from './anchors/place-through-log.ts'
import { sharedEnd } from './anchors/lines-apart.ts'
import { returnToPlaces, type PutBack } from './anchors/places-before-decisions.ts'
import { ChangeMap } from './change-map.ts'
import {
  ChangeSet,
  changesToJson,
  hunksFromJson,
  wordsReturned,
  type LoggedChanges,
  type Replacement,
} from './change-set.ts'
import { plainEditByDecision, type AnchoredRecord, type Edited } from './document-change.ts'
import { FollowedPlace } from './followed-place.ts'
import { Decisions } from './decisions.ts'
import type { Hunk } from './hunk.ts'
import { afterRemoval } from './removed-place.ts'
import type { Reopenable } from './reopenable.ts'
import { placeReopened, type Outcome } from './reopened-places.ts'
import { placeSuggestion } from './suggestion.ts'

/** All that were accepted together: then what they did is known though one has changed what another put in. */
export interface AcceptedTogether {
  revision: number
  /** The text that they were accepted in. */
  before: string
}

export interface Reopening {
  content: string
  suggestions: readonly Reopenable[]
  /** The changes since the oldest of their revisions, in order, or earlier; of those that were accepted together, their own too. */
  log: readonly { revision: number; changes: LoggedChanges }[]
  together: readonly AcceptedTogether[]
  /** Which of those changes took decisions back. */
  reopenings: readonly number[]
  /** The revisions that accepted what is accepted still, whose decisions may be taken back later. */
  acceptances?: readonly number[]
  /** Pairs of a decision that was taken back, and the revision that did so, as far as they are known. */
  undone?: readonly (readonly [number, number])[]
  /** All that stand in the text now. */
  anchors: readonly AnchoredRecord[]
  /** Other decided suggestions that decisions have touched; each stands where it did as it was decided itself. */
  decided?: readonly AnchoredRecord[]
  /** Of the text once they are taken back. */
  revision?: number
}

export interface Reopened {
  /** Of each suggestion, in the same order; null if it can’t be taken back. */
  outcomes: (Outcome | null)[]
  /** What taking back all of them is together; null if that leaves the text as it is. */
  edit: Edited<string> | null
}

/** Words that were accepted and still stand whole: where, and what stood there before. */
interface Standing {
  place: Range
  words: string
  /** Whose it is, and how far into what stood there before its own words began. */
  of: { index: number; at: number }[]
  /** Known where several stand at one place. */
  order: { revision: number; start: number } | null
  /** Where those words stood before the decision, if that is known. */
  was: { revision: number; start: number } | null
}

/**
 * What becomes of a text as decisions are taken back, as one change. Accepted words are taken out only from where they
 * were put in, and only if nothing was changed within them since, or that was taken back before; where several words
 * were left out side by side, only if it is known in which order they stood. All else in the text stays.
 */
export function reopenSuggestions(reopening: Reopening): Reopened {
  const { content, suggestions, log, together, anchors, decided = [], revision = 0 } = reopening
  const { reopenings, acceptances = [], undone: pairs = [] } = reopening
  const decisions = new Decisions(reopenings, acceptances, pairs)
  const steps = log.map(({ revision, changes }) => {
    const { hunks, length, newLength } = hunksFromJson(changes)
    return { revision, changes, hunks, newLength, map: new ChangeMap(hunks, length) }
  })
  const since = (revision: number) => steps.filter((step) => step.revision > revision)
  const placeNow = (place: Range, revision: number, was?: Range | null): Range | null => {
    const followed = was ? afterRemoval(place, was, revision, steps, decisions) : new FollowedPlace(place)
    for (const step of since(revision)) followed.follow(step.map, { revision: step.revision, decisions })
    return followed.place
  }

  /** Where words stood in the text before the change that put others in their place. */
  const stoodBefore = (revision: number, { start }: Range) => {
    const made = steps.find((step) => step.revision === revision)
    return made ? { revision, start: made.map.inverse(made.newLength).place(start, -1) } : null
  }

  const undone = together.flatMap(({ revision, before }) => {
    const made = steps.find((step) => step.revision === revision)
    const whole = made && takenBackWhole(before, made.hunks, (place) => placeNow(place, revision))
    if (!whole) return []
    const of = suggestions.flatMap(({ revision: its, ...one }, index) =>
      its === revision && one.status === 'accepted' ? [{ index, range: placeSuggestion(before, one) }] : [],
    )
    return [{ revision, standing: owned(whole, of, revision) }]
  })
  const alone = suggestions.flatMap((suggestion, index): Standing[] => {
    const { status, revision, applied, original_text, range } = suggestion
    const words = original_text.slice(0, original_text.length - sharedEnd(suggestion))
    const said = suggestion.suggested_text.slice(0, suggestion.suggested_text.length - sharedEnd(suggestion))
    if (status !== 'accepted' || revision === null || applied === null) return []
    if (undone.some((one) => one.revision === revision)) return []
    const isRange = range && range.end - range.start === original_text.length
    const isGone = applied.start === applied.end && isRange
    const place = placeNow(applied, revision, isGone ? range : null)
    if (!place || content.slice(place.start, place.end) !== said) return []
    const order = range && { revision, start: range.start }
    const was = isRange ? order : stoodBefore(revision, applied)
    return [{ place, words, of: [{ index, at: 0 }], order, was }]
  })
  const wholes = undone.flatMap((one) => one.standing)
  const found = apart([...wholes, ...alone])
  // What can't be taken back whole isn't taken back at all.
  const isBroken = ({ standing }: (typeof undone)[number]) => standing.some((one) => !found.includes(one))
  const broken = new Set(undone.filter(isBroken).flatMap((one) => one.standing))
  const standing = found.filter((one) => !broken.has(one))
  const replaced = standing.flatMap(({ place, words }): Replacement[] =>
    wordsReturned(content, place.start, place.end, words),
  )
  const changes = ChangeSet.of(replaced, content.length)
  const map = ChangeMap.of(changes)

  const wasUndone = (revision: number | null) =>
    undone.some((one) => one.revision === revision && !isBroken(one))
  const outcomes = suggestions.map((suggestion): Outcome | null => {
    if (suggestion.status === 'accepted') return wasUndone(suggestion.revision) ? { range: null } : null
    const range = standsToday(content, suggestion, since)
    // Something is put in where no words stand.
    const isPlace = range?.start === range?.end
    return { range: range && (isPlace ? followInsertion(range, [map]) : mapEnds(map, range)) }
  })
  const edit = changes.empty ? null : plainEditByDecision(content, changes, anchors)
  const after = edit?.content ?? content
  const putBack: (PutBack & Pick<Standing, 'of'>)[] = []
  let shift = 0
  for (const { place, words, of, was } of standing) {
    if (was) putBack.push({ ...was, words, now: place.start + shift, of })
    for (const { index, at } of of) {
      const { anchor, original_text } = suggestions[index]!
      const start = place.start + shift - at
      const isThere = anchor !== null && start >= 0 && after.startsWith(original_text, start)
      outcomes[index] = { range: isThere ? { start, end: start + original_text.length } : null }
    }
    shift += words.length - (place.end - place.start)
  }
  const logged = edit ? [changesToJson(changes) as LoggedChanges] : []
  const back = putBack.map((one): [number, number] => [one.revision, revision])
  const now = new Decisions([...reopenings, revision], acceptances, [...pairs, ...back])
  const taking = { after, map, logged, since, revision, decisions: now }
  for (const [index, suggestion] of suggestions.entries()) {
    const outcome = outcomes[index]
    // What it put in itself may be all that came with a decision, and says nothing of others.
    const others = putBack.filter(({ of }) => of.length === 0 || of.some((one) => one.index !== index))
    if (outcome) outcomes[index] = placeReopened(suggestion, outcome, { ...taking, putBack: others })
  }
  if (!edit) return { outcomes, edit }
  const moved = returnToPlaces(edit.moved, { anchors, decided, putBack, after, map, revision })
  return { outcomes, edit: { ...edit, moved } }
}

/** What a change has replaced, each where it stands now; null if any of it was changed since. */
function takenBackWhole(
  before: string,
  hunks: readonly Hunk[],
  placeNow: (place: Range) => Range | null,
): { place: Range; hunk: Hunk; words: string }[] | null {
  const all = hunks.map((hunk) => {
    const place = placeNow({ start: hunk.fromB, end: hunk.toB })
    return place && { place, hunk, words: before.slice(hunk.fromA, hunk.toA) }
  })
  return all.every((one) => one !== null) ? all : null
}

/** Each suggestion at the first place that it had a part in. */
function owned(
  all: readonly { place: Range; hunk: Hunk; words: string }[],
  of: readonly { index: number; range: Range | null }[],
  revision: number,
): Standing[] {
  // What only put something in had its part where it did so.
  const isPart = ({ fromA, toA }: Hunk, { start, end }: Range) =>
    start === end ? fromA <= start && toA >= start : fromA < end && toA > start
  const firstOf = (range: Range) => all.findIndex(({ hunk }) => isPart(hunk, range))
  return all.map(({ place, hunk, words }, i) => ({
    place,
    words,
    of: of.flatMap(({ index, range }) =>
      range && firstOf(range) === i ? [{ index, at: hunk.fromA - range.start }] : [],
    ),
    order: null,
    was: { revision, start: hunk.fromA },
  }))
}

/** In the order of the text; without those that overlap, or whose order isn’t known. */
function apart(standing: readonly Standing[]): Standing[] {
  const startOf = ({ order }: Standing) => order?.start ?? -1
  const inOrder = standing.toSorted(
    (a, b) => a.place.start - b.place.start || a.place.end - b.place.end || startOf(a) - startOf(b),
  )
  const kept: Standing[] = []
  for (const one of inOrder) {
    const last = kept.at(-1)
    const isSamePlace = last?.place.start === one.place.start && last.place.end === one.place.end
    const isInOrder =
      last?.order != null && last.order.revision === one.order?.revision && last.order.start < one.order.start
    if (!last || (last.place.end <= one.place.start && (!isSamePlace || isInOrder))) kept.push(one)
  }
  return kept
}

/** Where the anchor of a rejected one stands in the text as it is now. */
function standsToday(
  content: string,
  { anchor, range, revision, original_text }: Reopenable,
  since: (revision: number) => readonly { changes: LoggedChanges; map: ChangeMap }[],
): Range | null {
  if (!anchor) return null
  if (revision === null) return placeNewAnchor({ content, anchor })
  if (!range) return null
  const length = range.end - range.start
  const words = [original_text, anchor.exact].find((words) => words.length === length)
  const steps = since(revision)
  // Where others' words were accepted among its own, it stood on both, as a pending one does.
  if (words === undefined)
    return steps.reduce<Range | null>((now, { map }) => now && mapEnds(map, now), range)
  const log = steps.map(({ changes }) => changes)
  return placeNewAnchor({ content, anchor: { ...anchor, exact: words, start: range.start }, log })
}
