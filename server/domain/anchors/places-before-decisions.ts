import type { Anchor, Range } from '../../contract/records/anchors.ts'
import type { ChangeMap } from '../change-map.ts'
import type { AnchoredRecord, Edit } from '../document-change.ts'
import { isInsertion } from './insertion-place.ts'
import { endsOf, withEnds, type LineEnds } from './lines-after-decisions.ts'
import { mostRemembered, type PlaceBefore } from './place-before.ts'

/** Words that taking a decision back has put where they had been. */
export interface PutBack {
  /** Of the decision. */
  revision: number
  /** Where they stood in the text before that. */
  start: number
  words: string
  /** Where they begin now. */
  now: number
}

/** Where something stands again. */
export interface Returned {
  range: Range
  suggested_text?: string
  lineEnds?: LineEnds | null
  /** What is still known of other decisions. */
  takenOut: readonly PlaceBefore[]
}

type Noted = Pick<AnchoredRecord, 'anchor' | 'suggested_text' | 'lineEnds' | 'takenOut'>

/**
 * Notes of all that a decision touches where it stood before that.
 * @param moved what the decision does to them
 */
export function noteTakenOut(
  moved: Edit['moved'],
  anchors: readonly AnchoredRecord[],
  map: ChangeMap,
  revision: number,
): Edit['moved'] {
  const movedOf = new Map(moved.map((one) => [one.id, one]))
  const noted = anchors.flatMap((one): Edit['moved'] => {
    const { id, kind, anchor, range, suggested_text, takenOut = [] } = one
    const now = movedOf.get(id)
    const isReworded = now?.suggested_text !== undefined
    if (!anchor || !range) return []
    const isPlace = isInsertion(anchor)
    if (!isReworded && !isTouched(map, range, isPlace) && !(isPlace && isAmongPut(map, now?.range))) return []
    const said = isReworded ? { lineEnds: endsOf(suggested_text ?? '') } : {}
    const note = { revision, ...range, ...said }
    return [{ id, kind, range, ...now, takenOut: [...takenOut, note].slice(-mostRemembered) }]
  })
  const known = new Set(noted.map(({ id }) => id))
  return [...moved.filter(({ id }) => !known.has(id)), ...noted]
}

/** Words in which something is taken out or put in, and a place where the text beside it is taken out. */
const isTouched = ({ hunks }: ChangeMap, { start, end }: Range, isPlace: boolean): boolean =>
  hunks.some(({ fromA, toA }) =>
    isPlace ? fromA < toA && fromA <= start && toA >= start : fromA < end && toA > start,
  )

/**
 * Where something stands once decisions are taken back that had touched it, if one of these tells: where it had stood in
 * what has come back. So of several passages that are alike it is in its own.
 */
export function returnedTo(one: Noted, putBack: readonly PutBack[], after: string): Returned | null {
  const { anchor, takenOut = [] } = one
  if (!anchor) return null
  for (const [i, note] of takenOut.entries()) {
    for (const back of note.isBack ? [] : putBack) {
      const end = back.start + back.words.length
      if (back.revision !== note.revision || !isAbout(note, { start: back.start, end })) continue
      const by = back.now - back.start
      const range = { start: note.start + by, end: note.end + by }
      const isWithin = note.start >= back.start && note.end <= end
      const isEdited = note.end - note.start !== anchor.exact.length
      const isWhole = !isEdited && range.start >= 0 && after.slice(range.start, range.end) === anchor.exact
      // What was noted after it was noted where this one had left it.
      const said = { ...note, ...endsSince(takenOut, i) }
      const whole = isWhole || !isEdited ? null : wholeAround(anchor.exact, partIn(note, back, by), after)
      if (whole) return { range: whole, ...saidBefore(one, said, []) }
      if (isWhole || (isWithin && isEdited)) return { range, ...saidBefore(one, said, takenOut.slice(0, i)) }
    }
  }
  return null
}

/** What of a place was among the words that have come back, where that is now. */
const partIn = ({ start, end }: PlaceBefore, back: PutBack, by: number): Range => ({
  start: Math.max(start, back.start) + by,
  end: Math.min(end, back.start + back.words.length) + by,
})

/**
 * Where all of its words stand around a part of them: of several decisions that had taken some out, this was the last to
 * be taken back, whichever was made first.
 */
function wholeAround(exact: string, part: Range, after: string): Range | null {
  if (part.start >= part.end) return null
  const from = Math.max(0, part.end - exact.length)
  const near = after.slice(from, part.start + exact.length)
  const at = near.indexOf(exact)
  if (at < 0 || near.includes(exact, at + 1)) return null
  return { start: from + at, end: from + at + exact.length }
}

/** Where a part of it has come back while another decision has taken out the rest. */
function leftOf({ takenOut = [] }: Noted, putBack: readonly PutBack[]): Range | null {
  for (const back of putBack) {
    const note = takenOut.find((one) => !one.isBack && one.revision === back.revision)
    const part = note && partIn(note, back, back.now - back.start)
    if (part && part.start < part.end) return part
  }
  return null
}

/** Where its own words stand, all of which are back, if a place of what was left of them is known. */
export function ownWords({ exact }: Anchor, place: Range, after: string): Range | null {
  const { start, end } = place
  if (end - start <= exact.length) return wholeAround(exact, place, after)
  const near = after.slice(start, end)
  const at = near.indexOf(exact)
  if (at < 0 || near.includes(exact, at + 1)) return null
  return { start: start + at, end: start + at + exact.length }
}

/** How the ends of words were before the first decision that put others, of those from a note on. */
function endsSince(takenOut: readonly PlaceBefore[], from: number): Pick<PlaceBefore, 'lineEnds'> {
  const lineEnds = takenOut.slice(from).find((one) => one.lineEnds)?.lineEnds
  return lineEnds ? { lineEnds } : {}
}

/** Whether it is between words that a change has put in together, which would take it along. */
const isAmongPut = ({ hunks }: ChangeMap, place: Range | null | undefined): boolean =>
  hunks.some(({ fromB, toB }) => place != null && fromB < place.start && place.start < toB)

export interface PuttingBack {
  /** All that stand in the text. */
  anchors: readonly AnchoredRecord[]
  /** Suggestions that don’t any more, since they were decided. */
  decided: readonly AnchoredRecord[]
  putBack: readonly PutBack[]
  /** The text with what was put back. */
  after: string
  map: ChangeMap
  /** Of that text. */
  revision: number
}

/**
 * Puts all back where they stood before decisions that are taken back; of those that were decided meanwhile it is noted.
 * @param moved what taking them back does to places otherwise
 */
export function returnToPlaces(moved: Edit['moved'], putting: PuttingBack): Edit['moved'] {
  const { anchors, decided, putBack, after, map, revision } = putting
  const movedOf = new Map(moved.map((one) => [one.id, one]))
  const standing = anchors.flatMap((one): Edit['moved'] => {
    const { id, kind, anchor, range } = one
    if (!anchor) return []
    const moves = movedOf.get(id)
    const now = (moves ? moves.range : range) ?? leftOf(one, putBack)
    const returned = returnedTo(one, putBack, after)
    if (!returned) {
      if (!now || isInsertion(anchor) || after.slice(now.start, now.end) === anchor.exact) return []
      const whole = ownWords(anchor, now, after)
      if (whole) return [{ id, kind, range: whole, takenOut: [] }]
      return moves?.range || range ? [] : [{ id, kind, range: now }]
    }
    // Its words may have been put elsewhere meanwhile, and stay there.
    const isElsewhere =
      !isInsertion(anchor) &&
      now !== null &&
      range !== null &&
      !isTouched(map, range, false) &&
      after.slice(now.start, now.end) === anchor.exact
    const isKept = isElsewhere || (now !== null && isInsertion(anchor) && isOff(now, returned.range, putBack))
    return [{ id, kind, ...(isKept ? { ...returned, range: now } : returned) }]
  })
  const left = decided.flatMap((one): Edit['moved'] => {
    const { id, kind, range, takenOut = [] } = one
    const returned = returnedTo(one, putBack, after)
    if (!returned) return []
    const ends = endsSince(takenOut, returned.takenOut.length)
    const back = { revision, ...returned.range, ...ends, isBack: true as const }
    return [{ id, kind, range, takenOut: [...returned.takenOut, back] }]
  })
  const known = new Set(standing.map(({ id }) => id))
  return [...moved.filter(({ id }) => !known.has(id)), ...standing, ...left]
}

/** Whether something was put in between a place and the edge of what came back at which it had stood. */
const isOff = (place: Range, { start: edge }: Range, putBack: readonly PutBack[]): boolean =>
  putBack.some(
    ({ now, words }) =>
      (edge === now + words.length && place.start > edge) || (edge === now && place.start < edge),
  )

/** Whether a decision touched what was noted by what it did with some words. */
function isAbout({ start, end, lineEnds }: PlaceBefore, words: Range): boolean {
  const isBeside = start === end || lineEnds !== undefined
  return isBeside ? start <= words.end && end >= words.start : start < words.end && end > words.start
}

/** What it said before a decision, and what is known of those that came earlier. */
export function saidBefore(
  { suggested_text, lineEnds: own = null }: Noted,
  { lineEnds }: PlaceBefore,
  takenOut: readonly PlaceBefore[],
): Omit<Returned, 'range'> {
  if (!lineEnds || suggested_text === undefined) return { takenOut }
  const isOwn = own?.before === lineEnds.before && own.behind === lineEnds.behind
  return { suggested_text: withEnds(suggested_text, lineEnds), lineEnds: isOwn ? null : own, takenOut }
}
