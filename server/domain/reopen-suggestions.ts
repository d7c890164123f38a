import type { Range } from '../contract/records/anchors.ts'
import { followInsertion } from './anchors/insertion-place.ts'
import { mapEnds } from './anchors/anchors-after-changes.ts'
import { placeNewAnchor } from './anchors/place-through-log.ts'
import type { LineEnds } from './anchors/lines-after-decisions.ts'
import { endsBetween } from './anchors/lines-apart.ts'
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
import { Decisions, type Undone } from './decisions.ts'
import type { PutIn } from './put-at-removal.ts'
import type { Reopenable } from './reopenable.ts'
import { placeReopened, type AcceptedAt, type Outcome } from './reopened-places.ts'
import { standingWords, type AcceptedTogether, type Standing } from './standing-words.ts'
import { turnedLines } from './turned-words.ts'

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
  /** Which decisions were taken back, as far as that is known. */
  undone?: readonly Undone[]
  /** All that stand in the text now. */
  anchors: readonly AnchoredRecord[]
  /** Other decided suggestions that decisions have touched; each stands where it did as it was decided itself. */
  decided?: readonly (AnchoredRecord & PutIn)[]
  /** What was accepted and still is, beside which those that were rejected have their turn. */
  accepted?: readonly AcceptedAt[]
  /** Of the text once they are taken back. */
  revision?: number
}

export interface Reopened {
  /** Of each suggestion, in the same order; null if it can’t be taken back. */
  outcomes: (Outcome | null)[]
  /** What taking back all of them is together; null if that leaves the text as it is. */
  edit: Edited<string> | null
}

/**
 * What becomes of a text as decisions are taken back, as one change. Accepted words are taken out only from where they
 * were put in, and only if nothing was changed within them since, or that was taken back before; where several words
 * were left out side by side, only if it is known in which order they stood. All else in the text stays.
 */
export function reopenSuggestions(reopening: Reopening): Reopened {
  const {
    content,
    suggestions,
    log,
    together,
    anchors,
    decided = [],
    accepted = [],
    revision = 0,
  } = reopening
  const { reopenings, acceptances = [], undone: pairs = [] } = reopening
  const decisions = new Decisions(reopenings, acceptances, pairs)
  const steps = log.map(({ revision, changes }) => {
    const { hunks, length, newLength } = hunksFromJson(changes)
    return { revision, changes, hunks, newLength, map: new ChangeMap(hunks, length) }
  })
  const since = (revision: number) => steps.filter((step) => step.revision > revision)
  const { standing: all, wholes } = standingWords({
    content,
    suggestions,
    together,
    steps,
    decisions,
    decided,
  })
  const { standing, ends } = inOneChange(reopening, all, wholes)
  const replaced = standing.flatMap(({ place, words }): Replacement[] =>
    wordsReturned(content, place.start, place.end, ends.before + words + ends.behind),
  )
  const changes = ChangeSet.of(replaced, content.length)
  const map = ChangeMap.of(changes)

  const outcomes = suggestions.map((suggestion): Outcome | null => {
    const { status, revision } = suggestion
    if (status === 'accepted') return revision !== null && wholes.has(revision) ? { range: null } : null
    const range = standsToday(content, suggestion, since)
    // Something is put in where no words stand.
    const isPlace = range?.start === range?.end
    return { range: range && (isPlace ? followInsertion(range, [map]) : mapEnds(map, range)) }
  })
  const edit = changes.empty ? null : plainEditByDecision(content, changes, anchors)
  const after = edit?.content ?? content
  const putBack: (PutBack & Pick<Standing, 'of'>)[] = []
  let shift = 0
  for (const { place, words, of, was, turned } of standing) {
    if (was) putBack.push({ ...was, words, now: place.start + shift + ends.before.length, of })
    for (const { index, at } of of) {
      const { anchor, original_text } = suggestions[index]!
      const start = place.start + shift + ends.before.length - at
      const isThere = anchor !== null && start >= 0 && after.startsWith(original_text, start)
      outcomes[index] = {
        range: isThere ? { start, end: start + original_text.length } : null,
        ...(turned && turnedLines(suggestions[index]!, turned)),
      }
    }
    shift += ends.before.length + words.length + ends.behind.length - (place.end - place.start)
  }
  const logged = edit ? [changesToJson(changes) as LoggedChanges] : []
  const [before, behind] = [ends.before.length, ends.behind.length]
  const back = putBack.map((one): Undone => [one.revision, revision, before, behind])
  const now = new Decisions([...reopenings, revision], acceptances, [...pairs, ...back])
  const taking = { after, map, logged, since, accepted, revision, decisions: now }
  for (const [index, suggestion] of suggestions.entries()) {
    const outcome = outcomes[index]
    // What it put in itself may be all that came with a decision, and says nothing of others.
    const others = putBack.filter(({ of }) => of.length === 0 || of.some((one) => one.index !== index))
    if (outcome) outcomes[index] = placeReopened(suggestion, outcome, { ...taking, putBack: others })
  }
  if (!edit) return { outcomes, edit }
  if (before > 0 || behind > 0)
    for (const { index } of standing[0]!.of) outcomes[index] = { ...outcomes[index]!, apart: ends }
  const moved = returnToPlaces(edit.moved, { anchors, decided, putBack, after, map, revision })
  return { outcomes, edit: { ...edit, moved } }
}

/**
 * What can be one change: all that come back as they are; only then what needs line ends around it, each alone, since
 * these are known by the change that put them in.
 */
function inOneChange(
  reopening: Reopening,
  all: readonly Standing[],
  wholes: ReadonlySet<number>,
): { standing: readonly Standing[]; ends: LineEnds } {
  const none = { before: '', behind: '' }
  const endsOf = (one: Standing) => (wholes.has(one.by) ? none : endsAround(reopening, one))
  const asTheyAre = all.filter((one) => same(endsOf(one), none))
  if (asTheyAre.length > 0) return { standing: asTheyAre, ends: none }
  const alone = all.toSorted((a, b) => b.by - a.by).slice(0, 1)
  return { standing: alone, ends: alone[0] ? endsOf(alone[0]) : none }
}

/** Of words that come back, where lines that the decision had touched were accepted at their place. */
function endsAround(
  { content, suggestions, decided = [] }: Reopening,
  { of, place, words }: Standing,
): LineEnds {
  const none = { before: '', behind: '' }
  const [index] = of.map((one) => one.index)
  if (index === undefined || place.start < place.end || words.trim() === '') return none
  const { revision } = suggestions[index]!
  const touched = [...decided, ...suggestions].flatMap(({ suggested_text, lineEnds, takenOut = [] }) =>
    suggested_text !== undefined && takenOut.some((one) => one.revision === revision)
      ? [{ suggested_text, lineEnds }]
      : [],
  )
  return endsBetween(content, place.start, words, touched)
}

const same = (a: LineEnds, b: LineEnds) => a.before === b.before && a.behind === b.behind

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
