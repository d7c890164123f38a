import type { Range } from '../contract/records/anchors.ts'
import { placeReturned } from './anchors/place-through-log.ts'
import type { LineEnds } from './anchors/lines-after-decisions.ts'
import type { PlaceBefore } from './anchors/place-before.ts'
import { returnedTo, saidBefore, type PutBack } from './anchors/places-before-decisions.ts'
import type { ChangeMap } from './change-map.ts'
import type { LoggedChanges } from './change-set.ts'
import type { Decisions } from './decisions.ts'
import type { AnchoredRecord } from './document-change.ts'
import { FollowedPlace } from './followed-place.ts'
import { withItsPast } from './removed-place.ts'
import type { Reopenable } from './reopenable.ts'
import type { LoggedStep } from './standing-words.ts'

/** Where a suggestion stands as a pending one; what it says, and what is known of decisions, where that is another now. */
export type Outcome = Pick<AnchoredRecord, 'range' | 'suggested_text' | 'lineEnds' | 'takenOut'> & {
  /** The line ends that were put around what came back, to keep that apart from lines that are there now. */
  apart?: LineEnds
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
  /** Of the text after it. */
  revision: number
  decisions: Decisions
}

/**
 * Where a suggestion stands that was decided, given where the words that stood for it have left it, or the changes since.
 * Decisions may have taken out what it stood on meanwhile, and may have been taken back, in any order: it is where each
 * has put it back, and without a place while one has taken it out, though the same words stand elsewhere.
 */
export function placeReopened(suggestion: Reopenable, { range }: Outcome, taking: TakingBack): Outcome {
  const { anchor, revision, status } = suggestion
  if (!anchor) return { range }
  const { after } = taking
  const takenOut = suggestion.takenOut ?? []
  const back = takenOut.at(-1)?.isBack ? takenOut.at(-1) : undefined
  const earlier = back ? takenOut.slice(0, -1) : takenOut
  const said = { ...suggestion, suggested_text: suggestion.authors_text ?? suggestion.suggested_text }
  const again = back ? saidBefore(said, back, earlier) : {}
  const was = back ?? (status === 'rejected' && suggestion.range ? { ...suggestion.range, revision } : null)
  const followed = was?.revision != null ? followDecided(was, was.revision, taking) : null
  const known = followed?.gone ? [...earlier, followed.gone] : earlier
  const own = { ...said, ...again, takenOut: known }

  const returned = returnedTo(own, taking.putBack, after)
  if (returned) return { ...again, ...returned }
  const isOwn = ({ start, end }: Range) =>
    [anchor.exact, suggestion.original_text].includes(after.slice(start, end))
  const kept = known.length > 0 || takenOut.length > 0 ? { ...again, takenOut: known } : {}
  if (followed?.place && isOwn(followed.place)) return { range: followed.place, ...kept }
  // What decisions did that were taken back while its own words weren’t there.
  const first = known.findIndex((one) => !taking.decisions.acceptances.has(one.revision))
  if (first >= 0 && range && isOwn(range))
    return { range, ...again, ...saidBefore(own, known[first]!, known.slice(0, first)) }
  if (status === 'accepted' || revision === null) return { range, ...kept }
  if (known.length > 0) return { range: range && isOwn(range) ? null : range, ...kept }
  if (range) return { range, ...kept }
  // Words that were gone as it was rejected may have come back since, or come back with this.
  const log = [...taking.since(revision).map((step) => step.changes), ...taking.logged]
  const found = placeReturned(after, { ...anchor, exact: suggestion.original_text }, log)
  return { range: found, ...kept }
}

/**
 * Where a place is, if nothing of it is taken out; else what first took it out, if that is a decision that stands. What
 * comes back where several were taken out may be as long as another’s words.
 */
function followDecided(
  { start, end }: Range,
  revision: number,
  { since, decisions, map, revision: now }: TakingBack,
): { place: Range | null; gone?: PlaceBefore } {
  const before = since(0).filter((step) => step.revision <= revision)
  const followed = withItsPast({ start, end }, before, decisions) ?? new FollowedPlace({ start, end })
  const covers: PlaceBefore[] = []
  for (const step of since(revision)) {
    const { place } = followed
    followed.follow(step.map, { revision: step.revision, decisions })
    if (place && !followed.place) covers.push({ revision: step.revision, ...place })
  }
  const gone = covers.find((one) => decisions.acceptances.has(one.revision))
  if (gone) return { place: null, gone }
  followed.follow(map, { revision: now, decisions })
  return { place: followed.place }
}
