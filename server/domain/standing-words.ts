import type { Range } from '../contract/records/anchors.ts'
import { isAtEnd, isAtStart } from './anchors/lines-after-decisions.ts'
import { sharedEnd } from './anchors/lines-apart.ts'
import type { ChangeMap } from './change-map.ts'
import type { LoggedChanges } from './change-set.ts'
import type { Decisions } from './decisions.ts'
import type { AnchoredRecord } from './document-change.ts'
import { FollowedPlace } from './followed-place.ts'
import type { Hunk } from './hunk.ts'
import { behindReturned, placeAmongPut, type PutIn, type Removed } from './put-at-removal.ts'
import { afterRemoval } from './removed-place.ts'
import type { Reopenable } from './reopenable.ts'
import { placeSuggestion } from './suggestion.ts'
import { edgeAround, turnedBy, turnsOf } from './turned-words.ts'

/** All that were accepted together: then what they did is known though one has changed what another put in. */
export interface AcceptedTogether {
  revision: number
  /** The text that they were accepted in. */
  before: string
}

/** Words that were accepted and still stand whole: where, and what stood there before. */
export interface Standing {
  place: Range
  words: string
  /** The revision that accepted it. */
  by: number
  /** Whose it is, and how far into what stood there before its own words began. */
  of: { index: number; at: number }[]
  /** Known where several stand at one place. */
  order: { revision: number; start: number } | null
  /** Where those words stood before the decision, if that is known. */
  was: { revision: number; start: number } | null
  /** How many of its first letters stand behind it, or less than nothing, where a decision took such letters of its own along. */
  turned?: number
}

/** A change of the log. */
export interface LoggedStep {
  revision: number
  changes: LoggedChanges
  hunks: readonly Hunk[]
  map: ChangeMap
  newLength: number
}

type DecidedWords = PutIn & Pick<AnchoredRecord, 'anchor' | 'range'>

interface AcceptedWords {
  content: string
  suggestions: readonly Reopenable[]
  together: readonly AcceptedTogether[]
  steps: readonly LoggedStep[]
  decisions: Decisions
  /** Others that were decided, as far as decisions have touched where they stood. */
  decided: readonly DecidedWords[]
}

/**
 * Which words of suggestions that were accepted can be taken out, in the order of the text, and the revisions that were
 * found to have accepted several all of which can.
 */
export function standingWords(accepted: AcceptedWords): { standing: Standing[]; wholes: Set<number> } {
  const { suggestions, together, steps } = accepted
  const placeNow = placeIn(accepted)
  const undone = together.flatMap(({ revision, before }) => {
    const made = steps.find((step) => step.revision === revision)
    const whole = made && takenBackWhole(before, made.hunks, (place) => placeNow(place, revision))
    if (!whole) return []
    const of = suggestions.flatMap(({ revision: its, ...one }, index) =>
      its === revision && one.status === 'accepted' ? [{ index, range: placeSuggestion(before, one) }] : [],
    )
    return [{ revision, standing: owned(whole, of, revision) }]
  })
  const isWhole = (one: Reopenable) => undone.some(({ revision }) => revision === one.revision)
  const alone = suggestions.flatMap((one, index) => (isWhole(one) ? [] : standingAlone(accepted, one, index)))
  const found = apart([...undone.flatMap((one) => one.standing), ...alone])
  // What can't be taken back whole isn't taken back at all.
  const [broken, wholes] = [new Set<Standing>(), new Set<number>()]
  for (const { revision, standing } of undone)
    if (standing.every((one) => found.includes(one))) wholes.add(revision)
    else for (const one of standing) broken.add(one)
  return { standing: found.filter((one) => !broken.has(one)), wholes }
}

/** Where what a revision has put somewhere is today; of what it has only taken out, what that was and where it stood. */
const placeIn =
  ({ steps, decisions, suggestions, decided }: AcceptedWords) =>
  (place: Range, revision: number, removed?: Omit<Removed, 'revision'> | null): Placed | null => {
    const followed = removed
      ? afterRemoval(place, removed.was, revision, steps, decisions)
      : new FollowedPlace(place)
    let turned = 0
    for (const step of steps) {
      if (step.revision <= revision) continue
      const at = followed.place?.start
      const edge =
        removed && at !== undefined && decisions.acceptances.has(step.revision)
          ? edgeAround(at, turnedBy(removed.words, turned), step, decided)
          : null
      if (edge) {
        turned += edge.turned
        followed.jump({ start: edge.at, end: edge.at })
        continue
      }
      followed.follow(step.map, { revision: step.revision, decisions })
      if (!removed || at === undefined) continue
      const now =
        placeAmongPut(at, { ...removed, revision }, step, [...suggestions, ...decided]) ??
        behindReturned(at, removed, step, { steps, undone: decisions.undoneBy(step.revision) })
      if (now !== null) followed.jump({ start: now, end: now })
    }
    return followed.place && { ...followed.place, turned }
  }

/** A place, and by how many letters what belongs there is turned. */
type Placed = Range & { turned: number }

/** What one by itself has put in, if that stands there as it did. */
function standingAlone(accepted: AcceptedWords, suggestion: Reopenable, index: number): Standing[] {
  const { content, steps } = accepted
  const { status, revision, applied, original_text, range } = suggestion
  const words = original_text.slice(0, original_text.length - sharedEnd(suggestion))
  const said = suggestion.suggested_text.slice(0, suggestion.suggested_text.length - sharedEnd(suggestion))
  if (status !== 'accepted' || revision === null || applied === null) return []
  const isRange = range && range.end - range.start === original_text.length
  const gone = isRange ? range : takenFrom(steps, revision, suggestion)
  const removed =
    applied.start === applied.end && gone
      ? { words: original_text, was: gone, takenOut: suggestion.takenOut }
      : null
  const placeNow = placeIn(accepted)
  const at = (by: number) => {
    const place = placeNow({ start: applied.start + by, end: applied.end + by }, revision, removed)
    return place && content.slice(place.start, place.end) === turnedBy(said, by) ? place : null
  }
  const turned = original_text === '' ? turnsOf(said).find(at) : 0
  const place = at(turned ?? 0)
  if (!place) return []
  const order = range && { revision, start: range.start }
  const was = isRange ? order : stoodBefore(steps, revision, applied)
  const whole = withEndsAround(place, accepted)
  const one = {
    place: whole,
    words,
    by: revision,
    of: [{ index, at: 0 }],
    order,
    was,
    ...(turned && { turned }),
  }
  const shift = place.turned
  if (shift === 0) return [one]
  const stood = was && { ...was, start: was.start + shift }
  return [{ ...one, words: turnedBy(words, shift), of: [{ index, at: shift }], was: stood }]
}

/** With the line ends that kept it apart from what came back beside it, unless it still has others to be apart from. */
function withEndsAround({ start, end }: Range, accepted: AcceptedWords): Range {
  const place = { start, end }
  const { content, steps, decisions, decided } = accepted
  const others = decided.flatMap(({ applied, suggested_text }) => (applied && suggested_text) || [])
  const isFree = {
    before: isAtStart(content, place.start) || !others.some((one) => content.endsWith(one, place.start)),
    behind: isAtEnd(content, place.end) || !others.some((one) => content.startsWith(one, place.end)),
  }
  const now = { ...place }
  for (const [revision, { before, behind }] of decisions.apart) {
    const [hunk] = steps.find((step) => step.revision === revision)?.hunks ?? []
    if (!hunk) continue
    const at = placeIn(accepted)
    const inFront = behind > 0 ? at({ start: hunk.toB - behind, end: hunk.toB }, revision) : null
    const after = before > 0 ? at({ start: hunk.fromB, end: hunk.fromB + before }, revision) : null
    if (inFront?.end === place.start && isFree.behind) now.start = inFront.start
    if (after?.start === place.end && isFree.before) now.end = after.end
  }
  return now
}

/** Where words stood that were taken out from among others that had been put in between them. */
function takenFrom(
  steps: readonly LoggedStep[],
  by: number,
  { applied, original_text: { length } }: Reopenable,
): Range | null {
  const hunks = steps.find(({ revision }) => revision === by)?.hunks ?? []
  const hunk = hunks.find(
    ({ fromA, toA, fromB, toB }) => toA - fromA === length && fromB === applied?.start && toB === fromB,
  )
  return hunk ? { start: hunk.fromA, end: hunk.toA } : null
}

/** Where words stood in the text before the change that put others in their place. */
function stoodBefore(steps: readonly LoggedStep[], revision: number, { start }: Range): Standing['was'] {
  const made = steps.find((step) => step.revision === revision)
  return made ? { revision, start: made.map.inverse(made.newLength).place(start, -1) } : null
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
  const isWithin = ({ fromA, toA }: Hunk, { start, end }: Range) => fromA < end && toA > start
  // What only put something in, or did so around its words, had its part where it did.
  const isBeside = ({ fromA, toA }: Hunk, { start, end }: Range) => fromA <= end && toA >= start
  const firstOf = (range: Range) => {
    const within = all.findIndex(({ hunk }) => isWithin(hunk, range))
    return within < 0 ? all.findIndex(({ hunk }) => isBeside(hunk, range)) : within
  }
  return all.map(({ place, hunk, words }, i) => ({
    place,
    words,
    by: revision,
    of: of.flatMap(({ index, range }) =>
      range && firstOf(range) === i ? [{ index, at: hunk.fromA - range.start }] : [],
    ),
    order: null,
    was: { revision, start: hunk.fromA },
  }))
}

/**
 * In the order of the text; of those that meet, what was accepted last, which was made in a text that had the others.
 * Without those that overlap, or whose order isn’t known.
 */
function apart(standing: readonly Standing[]): Standing[] {
  const startOf = ({ order }: Standing) => order?.start ?? -1
  const inOrder = standing.toSorted(
    (a, b) => a.place.start - b.place.start || a.place.end - b.place.end || startOf(a) - startOf(b),
  )
  const kept: Standing[] = []
  for (const one of meeting(inOrder).flatMap(newest)) {
    const last = kept.at(-1)
    const isSamePlace = last?.place.start === one.place.start && last.place.end === one.place.end
    const isInOrder =
      last?.order != null && last.order.revision === one.order?.revision && last.order.start < one.order.start
    if (!last || (last.place.end <= one.place.start && (!isSamePlace || isInOrder))) kept.push(one)
  }
  return kept
}

/** Each with those that it touches, and that these touch. */
function meeting(inOrder: readonly Standing[]): Standing[][] {
  const all: Standing[][] = []
  let end = -1
  for (const one of inOrder) {
    if (one.place.start <= end) all.at(-1)!.push(one)
    else all.push([one])
    end = Math.max(end, one.place.end)
  }
  return all
}

function newest(all: readonly Standing[]): Standing[] {
  const last = all.reduce((latest, { by }) => Math.max(latest, by), 0)
  return all.filter(({ by }) => by === last)
}
