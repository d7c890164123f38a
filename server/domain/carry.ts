import type { Anchor, Range } from '../contract/records.ts'
import { ALIKE, SHORT } from './anchor.ts'
import type { ChangeMap } from './change-map.ts'
import { findInserted } from './inserted-words.ts'
import { rangesWithin, widened } from './ranges.ts'
import { bestMatch, contextLikeness, findAlike, findExact, likeness, type Match } from './quote-search.ts'
import type { Work } from './work.ts'

/** An anchor, and where it stands: null if its words are gone. */
export interface Anchored {
  anchor: Anchor
  range: Range | null
}

// A quote this long is its own evidence; shorter ones must also stand in their old surroundings to be known again.
const TELLING = 16
// Half of an edited word or passage is enough when it stands exactly where the old one stood.
const ALIKE_IN_PLACE = 0.5
/** What all anchors of one change may cost together. */
export const CARRY_WORK = 60_000_000
/** What comparing text with a quote costs for each character, in the same units. */
const COMPARING = 30

/**
 * Where a range stands after a change. Text inserted exactly at either end stays outside. Null when nothing of the
 * old text in it is left.
 */
export function carryRange(map: ChangeMap, range: Range): Range | null {
  const mapped = mapEnds(map, range)
  return mapped && map.kept(range).length > 0 ? mapped : null
}

function mapEnds(map: ChangeMap, { start, end }: Range): Range | null {
  if (start < 0 || start >= end || end > map.length) return null
  const mapped = { start: map.place(start, 1), end: map.place(end, -1) }
  return mapped.start < mapped.end ? mapped : null
}

/**
 * Where anchors stand after a change of their document, given where they stood before. This is the whole rule:
 * - Words that are still there, edited or not, keep their anchor, wherever the change has moved them.
 * - Where all of the words stand again around what was left of them, as after an undo, the anchor is theirs again.
 * - Words replaced by recognisably the same ones (a corrected spelling) keep it too.
 * - Words that are gone may have been put somewhere else by the change: cut and pasted, or brought back by an undo.
 *   Only text that this change inserted is searched, so an anchor never jumps to another occurrence that was there
 *   all along.
 * - Otherwise the anchor stands nowhere for now.
 */
export function carryAnchors(
  anchored: readonly Anchored[],
  after: string,
  map: ChangeMap,
  work: Work = { left: CARRY_WORK },
): (Range | null)[] {
  const places = anchored.map(({ range }) => range && mapEnds(map, range))
  const isThere = ({ anchor: { exact } }: Anchored, place: Range | null) =>
    place !== null && place.end - place.start === exact.length && after.startsWith(exact, place.start)
  const touched = anchored.flatMap((one, i) => (isThere(one, places[i]!) ? [] : [{ ...one, i }]))
  const search = new Search(
    after,
    map,
    touched.map(({ anchor }) => anchor.exact),
    work,
  )
  for (const { i, ...one } of touched) places[i] = search.carry(one, places[i]!)
  return places
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u

/** Follows the anchors whose words a change has touched. */
class Search {
  readonly #after: string
  readonly #map: ChangeMap
  readonly #quotes: readonly string[]
  readonly #work: Work
  /** How many anchors are still to be carried: what is left of the work is theirs too. */
  #waiting: number
  #found: Map<string, number[]> | undefined

  constructor(after: string, map: ChangeMap, quotes: readonly string[], work: Work) {
    this.#after = after
    this.#map = map
    this.#quotes = quotes
    this.#work = work
    this.#waiting = quotes.length
  }

  carry({ anchor, range }: Anchored, place: Range | null): Range | null {
    const [after, map, work] = [this.#after, this.#map, this.#work]
    const share = Math.max(0, work.left / this.#waiting--)
    if (!anchor.exact) return null
    const hint = map.near(Math.min(range?.start ?? anchor.start, map.length))
    if (!range) return this.#findExact(anchor, hint) ?? this.#findAlike(anchor, hint, share)
    const whole = place && this.#findAround(anchor, place)
    if (whole) return whole
    const kept = map.kept(range)
    if (place && this.#keepsWords(kept, anchor)) {
      const left = kept.reduce((sum, piece) => sum + piece.end - piece.start, 0)
      // A word or two may agree by chance where a passage was moved away and another one written in its place.
      const moved = left * 4 < range.end - range.start && this.#findExact(anchor, hint)
      return moved || place
    }
    if (place && isAlike(anchor.exact, after.slice(place.start, place.end), work)) return place
    return this.#findExact(anchor, hint) ?? this.#findAlike(anchor, hint, share)
  }

  #keepsWords(kept: Range[], anchor: Anchor): boolean {
    if (!WORD_CHARACTER.test(anchor.exact)) return kept.length > 0
    return kept.some((piece) => WORD_CHARACTER.test(this.#after.slice(piece.start, piece.end)))
  }

  /** Where all the words stand that `place` is only a part of. */
  #findAround(anchor: Anchor, place: Range): Range | null {
    const { length } = anchor.exact
    const from = Math.max(0, place.end - length)
    const to = place.start + length
    this.#work.left -= to - from
    if (to - from < length || this.#work.left < 0) return null
    const matches = findExact(this.#after, anchor.exact, from, to, this.#work)
    return rangeOf(bestMatch(this.#after, anchor, matches, place.start, this.#work))
  }

  #findExact(anchor: Anchor, hint: number): Range | null {
    this.#found ??= findInserted(this.#after, this.#map.inserted, this.#quotes, this.#work)
    const { length } = anchor.exact
    const known = (this.#found.get(anchor.exact) ?? [])
      .map((start) => ({ start, end: start + length, likeness: 1 }))
      .filter((match) => this.#newCharacters(match) > 0 && this.#isKnown(anchor, match))
    return rangeOf(bestMatch(this.#after, anchor, known, hint, this.#work))
  }

  #findAlike(anchor: Anchor, hint: number, share: number): Range | null {
    const { exact } = anchor
    if (exact.length < SHORT) return null
    const known: Match[] = []
    const reach = Math.round(share / COMPARING / 2)
    const near = rangesWithin(this.#map.inserted, { start: hint - reach, end: hint + reach })
    for (const { start, end } of widened(near, exact.length, this.#after.length)) {
      if (this.#work.left < 0) break
      for (const match of findAlike(this.#after, exact, ALIKE, hint, start, end, this.#work)) {
        const mostlyNew = this.#newCharacters(match) * 2 >= match.end - match.start
        if (mostlyNew && this.#isKnown(anchor, match)) known.push(match)
      }
    }
    return rangeOf(bestMatch(this.#after, anchor, known, hint, this.#work))
  }

  #newCharacters(match: Range): number {
    return rangesWithin(this.#map.inserted, match).reduce((sum, { start, end }) => sum + end - start, 0)
  }

  /** Whether words found in new text are to be taken for the ones that were lost. */
  #isKnown(anchor: Anchor, place: Range): boolean {
    if (anchor.exact.length >= TELLING) return true
    const { prefix, suffix } = contextLikeness(this.#after, anchor, place, this.#work)
    if (prefix === undefined && suffix === undefined) return place.start === anchor.start
    const sides = [prefix, suffix].filter((side) => side !== undefined)
    const mean = sides.reduce((sum, side) => sum + side, 0) / sides.length
    if (mean >= 0.5) return true
    return Math.max(prefix ?? 0, suffix ?? 0) >= 0.9
  }
}

const rangeOf = (match: Match | null): Range | null => match && { start: match.start, end: match.end }

/** Whether one text may be the other with its spelling corrected. */
function isAlike(exact: string, text: string, work: Work): boolean {
  const [shorter, longer] = [exact.length, text.length].sort((a, b) => a - b) as [number, number]
  return shorter >= longer * ALIKE_IN_PLACE && likeness(exact, text, work) >= ALIKE_IN_PLACE
}
