import type { Range } from '../contract/records/anchors.ts'
import { placeReturned } from './anchors/place-through-log.ts'
import { endsOf, type LineEnds } from './anchors/lines-after-decisions.ts'
import type { PlaceBefore } from './anchors/place-before.ts'
import { ownWords, returnedTo, saidBefore, type PutBack } from './anchors/places-before-decisions.ts'
import type { ChangeMap } from './change-map.ts'
import type { LoggedChanges } from './change-set.ts'
import type { Decisions } from './decisions.ts'
import type { AnchoredRecord } from './document-change.ts'
import { FollowedPlace } from './followed-place.ts'
import { placeAmong, type TurnPut } from './order-at-place.ts'
import { withItsPast } from './removed-place.ts'
import type { Reopenable } from './reopenable.ts'
import type { LoggedStep } from './standing-words.ts'

/** Where a suggestion stands as a pending one; what it says, and what is known of decisions, where that is another now. */
export type Outcome = Pick<AnchoredRecord, 'range' | 'suggested_text' | 'lineEnds' | 'takenOut'> & {
  /** The line ends that were put around what came back, to keep that apart from lines that are there now. */
  apart?: LineEnds
}

/** What was accepted, by which revision. */
export interface AcceptedAt extends TurnPut {
  revision: number
}

/** What is known of a text in which decisions are taken back. */
export interface TakingBack {
  after: string
  /** What that changes. */
  map: ChangeMap
  logged: readonly LoggedChanges[]
  putBack: readonly PutBack[]
  /** The changes before that, since a revision. */
  since: (revision: number) => readonly LoggedStep[]
  accepted: readonly AcceptedAt[]
  /** Of the text after it. */
  revision: number
  decisions: Decisions
}

/**
 * Where a suggestion stands that was decided, given where the words that stood for it have left it, or the changes since.
 * Decisions may have taken out what it stood on meanwhile, and may have been taken back, in any order: it is where each
 * has put it back, and without a place while one has taken it out, though the same words stand elsewhere.
 */
export function placeReopened(suggestion: Reopenable, standing: Outcome, taking: TakingBack): Outcome {
  const { anchor, original_text } = suggestion
  const placed = placeAfterDecisions(suggestion, standing, taking)
  const { range } = placed
  if (!anchor || !range || original_text === '') return placed
  const isOwn = [anchor.exact, original_text].includes(taking.after.slice(range.start, range.end))
  const own = isOwn ? null : ownWords(anchor, range, taking.after)
  return own ? { ...placed, range: own } : placed
}

function placeAfterDecisions(
  suggestion: Reopenable,
  { range, ...turned }: Outcome,
  taking: TakingBack,
): Outcome {
  const { anchor, revision, status } = suggestion
  if (!anchor) return { range }
  const { after } = taking
  const takenOut = suggestion.takenOut ?? []
  const back = takenOut.at(-1)?.isBack ? takenOut.at(-1) : undefined
  const earlier = back ? takenOut.slice(0, -1) : takenOut
  const said = { ...suggestion, suggested_text: suggestion.authors_text ?? suggestion.suggested_text }
  const was = back ?? stoodAt(suggestion)
  const followed =
    was?.revision != null
      ? followDecided(
          { ...was, turn: suggestion.turn },
          was.revision,
          suggestion.original_text === '',
          taking,
        )
      : null
  const [first, ...more] = followed?.noted ?? []
  // Where another decision stands that has taken its place out, it says what it did there.
  const again = back && !first ? saidBefore(said, back, earlier) : {}
  const ends = turned.suggested_text === undefined ? {} : { lineEnds: endsOf(said.suggested_text) }
  const known = first ? [...earlier, { ...first, ...ends, ...endsOfNote(back) }, ...more] : earlier
  const own = { ...said, ...again, takenOut: known }

  const returned = returnedTo(own, taking.putBack, after)
  if (returned) return { ...again, ...returned }
  const isOwn = ({ start, end }: Range) =>
    [anchor.exact, suggestion.original_text].includes(after.slice(start, end))
  const kept = known.length > 0 || takenOut.length > 0 ? { ...again, ...turned, takenOut: known } : {}
  const place = followed?.place
  const found = place && (isOwn(place) ? place : ownWords(anchor, place, after))
  if (found) return { range: found, ...kept }
  // What decisions did that were taken back while its own words weren’t there.
  const over = known.findIndex((one) => !taking.decisions.acceptances.has(one.revision))
  if (over >= 0 && range && isOwn(range))
    return { range, ...again, ...saidBefore(own, known[over]!, known.slice(0, over)) }
  if (status === 'accepted' || revision === null) return { range, ...kept }
  if (known.length > 0) return { range: range && isOwn(range) ? null : range, ...kept }
  if (range) return { range, ...kept }
  // Words that were gone as it was rejected may have come back since, or come back with this.
  const log = [...taking.since(revision).map((step) => step.changes), ...taking.logged]
  const alone = placeReturned(after, { ...anchor, exact: suggestion.original_text }, log)
  return { range: alone, ...kept }
}

/** Where it stood as it was decided; of what was put in, where that does, by its edges. */
function stoodAt({ status, range, applied, original_text, revision }: Reopenable) {
  const place = status === 'rejected' ? range : original_text === '' ? applied : null
  return place && { ...place, revision }
}

const endsOfNote = (back: PlaceBefore | undefined): Pick<PlaceBefore, 'lineEnds'> =>
  back?.lineEnds ? { lineEnds: back.lineEnds } : {}

/**
 * Where a place is, if nothing of it is taken out; and what decisions that stand have taken out there, up to the first
 * that took it out itself. What comes back where several were taken out may be as long as another’s words.
 */
function followDecided(
  { start, end, turn }: Range & { turn?: number | undefined },
  revision: number,
  isPutIn: boolean,
  { since, accepted, decisions, map, revision: now }: TakingBack,
): { place: Range | null; noted: PlaceBefore[] } {
  const before = since(0).filter((step) => step.revision <= revision)
  const followed = withItsPast({ start, end }, before, decisions) ?? new FollowedPlace({ start, end })
  const noted: PlaceBefore[] = []
  for (const step of since(revision)) {
    const { place } = followed
    followed.follow(step.map, { revision: step.revision, decisions })
    if (!place || !decisions.acceptances.has(step.revision)) continue
    const among =
      turn === undefined ? null : placeAmong({ ...place, turn }, besideOf(place, step.revision, accepted))
    if (among !== null && followed.place) followed.jump({ start: among, end: among })
    const at = isPutIn ? besideRemoval(step.map, place) : followed.place ? null : place
    if (at) noted.push({ revision: step.revision, ...at })
    if (!followed.place) return { place: null, noted }
  }
  followed.follow(map, { revision: now, decisions })
  return { place: followed.place, noted }
}

/** What a revision has accepted at a place of nothing, or for words right beside that. */
function besideOf({ start, end }: Range, revision: number, accepted: readonly AcceptedAt[]): AcceptedAt[] {
  if (start < end) return []
  return accepted.filter((one) => one.revision === revision && (one.start === start || one.end === start))
}

/** The edge of a place at which a change has taken something out, or beside it. */
function besideRemoval({ hunks }: ChangeMap, { start, end }: Range): Range | null {
  const hunk = hunks.find(({ fromA, toA }) => fromA < toA && toA >= start && fromA <= end)
  if (!hunk) return null
  const at = hunk.fromA > start ? end : start
  return { start: at, end: at }
}
