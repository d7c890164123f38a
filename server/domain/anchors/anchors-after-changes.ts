import type { Anchor, Range } from '../../contract/records/anchors.ts'
import { CHANGE_BUDGET, type Budget } from '../budget.ts'
import type { ChangeMap, TextChange } from '../change-map.ts'
import { commonPrefix, commonSuffix } from '../common-ends.ts'
import type { Readable } from '../pieced-text.ts'
import { rangesWithin, widened } from '../ranges.ts'
import { CONTEXT } from './anchor.ts'
import { findSimilar } from './approximate-search.ts'
import { bestMatch, contextSimilarity } from './best-match.ts'
import { findExact } from './exact-search.ts'
import { NEAR, type LocalAlignment } from './local-alignment.ts'
import { findMovedPassages, type MovedPassage } from './moved-passages.ts'
import { findInRanges } from './quotes-in-ranges.ts'
import { areOwnWords, holdsWords, isCorrected, SHORT, SIMILAR, similarity, type Match } from './similarity.ts'
import { Surroundings } from './surroundings.ts'

/** An anchor, and where it stands: null if its words are gone. */
export interface Anchored {
  anchor: Anchor
  range: Range | null
}

// A quote this long is its own evidence; shorter ones must also stand in their old surroundings to be known again.
const TELLING = 16
// So must those up to this length where they were found spelled otherwise.
const TELLING_IF_SIMILAR = 32
/** Words of fewer letters are what many lines are: a dash, a brace, one letter. Only what stands around tells them apart. */
const FEW_LETTERS = 3
/** So many letters beside them do, */
const TELLING_BESIDE = 8
/** or so much of what stood around them, as long as it is there. */
const LEAST_AROUND = 0.25
// So many letters in a row that were kept are no chance.
const TELLING_LETTERS = 10
/** So much of what stands around words has to be where the mapping says for it to be trusted at once. */
const MOSTLY_HERE = 0.8
/** What little stands around words, or tells little, isn't evidence enough against the mapping. */
const TELLING_NEIGHBOURHOOD = 50
const LEAST_SCORE = 14
/** The mapping's own place is preferred to one that fits hardly better. */
const BONUS = 1.1
/** Of two places that fit nearly alike neither is taken: it would be a guess. */
const CLEAR = 0.98
const LEAST_OWN = 0.2
const LEAST_OWN_BACK = 0.25
/** What comparing text with a quote costs for each character, in the same units. */
const COMPARING = 30
/** Of all that, what looking for passages that were moved may cost. */
const PASSAGES = 45_000_000
/** And looking for the same words elsewhere in what was taken away. */
const REMOVED = 7_000_000
const COST = { letter: 10, searched: 5 }

/**
 * Where a range stands after a change. Text inserted exactly at either end stays outside. Null when nothing of the
 * old text in it is left.
 */
export function mapRange(map: ChangeMap, range: Range): Range | null {
  const mapped = mapEnds(map, range)
  return mapped && map.kept(range).length > 0 ? mapped : null
}

/** The same, though nothing of the old text may be left between the ends. */
export function mapEnds(map: ChangeMap, { start, end }: Range): Range | null {
  if (start < 0 || start >= end || end > map.length) return null
  const mapped = { start: map.place(start, 1), end: map.place(end, -1) }
  return mapped.start < mapped.end ? mapped : null
}

/**
 * Where anchors stand after a change of their document, given where they stood before. This is the whole rule:
 * - Words that are still there, edited or not, keep their anchor, wherever the change has moved them. Where the change is
 *   known as it was made, and not told by comparing, that is all there is to say of them.
 * - Where all of the words stand again around what was left of them, as after an undo, the anchor is theirs again.
 * - Where much of the text was written anew, what stood around the words says where they are (`local-alignment.ts`).
 * - Words replaced by recognisably the same ones (a corrected spelling) keep it too.
 * - What many changes have made of the words, each leaving most of what it found, has to be some of them still.
 * - Words that are gone may come back: pasted after a cut, or by an undo. Only text that came with the change is
 *   searched, and what the change has only moved or edited was there before. So an anchor never jumps to another
 *   occurrence that stood there all along.
 * - Where much was written anew, what stands around a place that was found elsewhere has to lead back to the words.
 * - There, each word of a text has one partner at most in the other (`passage-pairs.ts`), which tells copies of a passage
 *   apart: words are where most of their partners are, and not where those of others stand.
 * - Otherwise the anchor stands nowhere for now.
 */
export function mapAnchors(
  anchored: readonly Anchored[],
  change: TextChange<Readable>,
  budget: Budget = { left: CHANGE_BUDGET.anchors },
  surroundings = new Surroundings(change, { left: budget.left }),
): (Range | null)[] {
  const { after, map } = change
  const places = anchored.map(({ range }) => range && mapEnds(map, range))
  const isThere = ({ anchor: { exact } }: Anchored, place: Range | null) =>
    place !== null &&
    place.end - place.start === exact.length &&
    after.slice(place.start, place.end) === exact
  const there = anchored.map((one, i) => isThere(one, places[i]!))
  const search = new Search(
    change,
    anchored.filter((_, i) => !there[i]).map(({ anchor }) => anchor.exact),
    budget,
    surroundings,
  )
  for (const [i, one] of anchored.entries()) {
    const place = there[i] ? search.keep(one, places[i]!) : search.follow(one, places[i]!)
    places[i] = one.range ? search.settle(one.range, place) : place
  }
  return places
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u
const WORD_CHARACTERS = /[\p{L}\p{N}]/gu

/** Follows the anchors whose words a change has touched. */
class Search {
  readonly #before: Readable
  readonly #after: Readable
  readonly #map: ChangeMap
  readonly #isCertain: boolean
  readonly #isDecided: boolean
  readonly #quotes: readonly string[]
  readonly #budget: Budget
  readonly #settling: Budget
  /** How many anchors are still to be looked for: what is left of the budget is theirs too. */
  #waiting: number
  #found: Map<string, number[]> | undefined
  #foundRemoved: Map<string, number[]> | undefined
  #moves: MovedPassage[] | undefined
  readonly #around: Surroundings

  constructor(
    { before, after, map, isKnown = false, isDecided = false }: TextChange<Readable>,
    quotes: readonly string[],
    budget: Budget,
    surroundings: Surroundings,
  ) {
    this.#around = surroundings
    this.#settling = surroundings.budget
    this.#before = before
    this.#after = after
    this.#map = map
    this.#isCertain = isKnown
    this.#isDecided = isDecided
    this.#quotes = quotes
    this.#budget = budget
    this.#waiting = quotes.length
  }

  /** Of words that stand where the mapping says: whether they are those, and not the same by chance. */
  keep({ anchor, range }: Anchored, place: Range | null): Range | null {
    if (!range || !place || this.#isCertain || !this.#map.touches(around(range))) return place
    const settled = this.#settled(range, place)
    if (settled) return this.#findAround(anchor, settled) ?? settled
    if (settled === null) return null
    return (
      this.#moved(range) ?? (this.#isOfAnother(range, place) || this.#isBare(anchor, range) ? null : place)
    )
  }

  /** Whether words of few letters are all that a comparison has left of what stood there: they may be any such line’s. */
  #isBare(anchor: Anchor, range: Range): boolean {
    if (this.#lettersOf(anchor) >= FEW_LETTERS) return false
    const near = clipped(around(range), whole(this.#before))
    const sides = [
      { start: near.start, end: range.start },
      { start: range.end, end: near.end },
    ]
    const kept = sides.flatMap((side) => this.#map.kept(side))
    return this.#letters(kept) < LEAST_AROUND * this.#letters(sides, this.#before)
  }

  /** Where words are, given where they were found, by the words of both texts that belong together. */
  settle(range: Range, place: Range | null): Range | null {
    if (this.#isCertain || !this.#map.touches(around(range))) return place
    if (!place && !this.#isAnythingNewNear(range)) return null
    const own = this.#around.placeOfWords(range, place)
    return own && this.#around.isOfOthers(range, own) ? null : own
  }

  follow(one: Anchored, place: Range | null): Range | null {
    const { anchor, range } = one
    const share = Math.max(0, this.#budget.left / this.#waiting--)
    if (!anchor.exact) return null
    const hint = this.#map.near(Math.min(range?.start ?? anchor.start, this.#map.length))
    const found = this.#lookFor(one, place, hint, share)
    if (!found || !range || !this.#map.touches(range)) return found
    // Each of many changes may leave most of what the one before has left.
    const isHeld = holdsWords(anchor.exact, this.#after.slice(found.start, found.end), this.#budget)
    return isHeld ? found : this.#findExact(anchor, range, hint)
  }

  #lookFor({ anchor, range }: Anchored, place: Range | null, hint: number, share: number): Range | null {
    const [after, budget] = [this.#after, this.#budget]
    if (!range) return this.#findExact(anchor, null, hint) ?? this.#findSimilar(anchor, null, hint, share)
    const moved = this.#moved(range)
    const isWhole = moved && this.#letters([moved]) === this.#letters([range], this.#before)
    if (isWhole) return this.#findAround(anchor, moved) ?? moved
    const settled = this.#settled(range, place)
    if (settled) return this.#findAround(anchor, settled) ?? settled
    if (settled === null) {
      const isOwn = place && !this.#isOfAnother(range, place)
      if (isOwn && isCorrected(anchor.exact, after.slice(place.start, place.end), budget)) return place
      return this.#findExact(anchor, range, hint)
    }
    if (moved) return this.#findAround(anchor, moved) ?? moved
    const whole = place && this.#findAround(anchor, place)
    if (whole) return whole
    // A part of a dash or a brace may be any other’s.
    const isTelling = this.#isCertain || this.#lettersOf(anchor) >= FEW_LETTERS
    const isFree = place && isTelling && !this.#isOfAnother(range, place)
    const stayed = isFree && this.#stayed(range, place)
    if (stayed) return stayed
    if (isFree && isCorrected(anchor.exact, after.slice(place.start, place.end), budget)) return place
    return this.#findExact(anchor, range, hint) ?? this.#findSimilar(anchor, range, hint, share)
  }

  /**
   * Where words stand now, by what stands around them; null where they are gone, and undefined if that can't be told
   * or nearly all around them is where the mapping says.
   */
  #settled(range: Range, place: Range | null): Range | null | undefined {
    if (!this.#around.isWrittenAnew) return undefined
    // Where only some was taken away, all that is there now stood there before, and is none of what is gone.
    if (!this.#isAnythingNewNear(range)) return undefined
    const near = clipped(nearby(range), whole(this.#before))
    const all = this.#letters([near], this.#before)
    const isHere = place && this.#letters(this.#map.kept(near)) >= MOSTLY_HERE * all
    if (isHere && !this.#isOfAnother(range, place)) return undefined
    const { alignment } = this.#around
    return alignment ? this.#decide(alignment, range, place) : undefined
  }

  /**
   * Whether what stands around a place that was found leads back to the words that were looked for, and not to others
   * like them: of a text that was written anew, the same words may have come from several places.
   * @param isAlone whether no other place may fit nearly as well
   */
  #leadsBack(range: Range, found: Range, isAlone: boolean): boolean {
    const { alignment } = this.#around
    if (!alignment) return true
    const [origin, other] = alignment
      .origins(found, range.start)
      .places.filter((from) => from.range && from.own >= LEAST_OWN_BACK)
    // What can't be told isn't held against it.
    if (this.#settling.left < 0 || !origin?.range) return true
    return meet(origin.range, range) && !(isAlone && other && other.score > origin.score * CLEAR)
  }

  /**
   * The place that fits best, if the way back from there leads here too: where the same words stand several times, each
   * anchor belongs to one of them.
   */
  #decide(near: LocalAlignment, range: Range, place: Range | null): Range | null | undefined {
    const { places, telling } = near.counterparts(range, this.#map.near(range.start))
    if (this.#settling.left < 0 || (place && telling < TELLING_NEIGHBOURHOOD)) return undefined
    const isHere = (found: Range) => place !== null && meet(found, place)
    const ranked = places
      .flatMap(({ range: found, score, own }) =>
        found && own >= LEAST_OWN && (isHere(found) || this.#mayHaveCome(found))
          ? [{ found, score, rank: isHere(found) ? score * BONUS : score, isHere: isHere(found) }]
          : [],
      )
      .sort((a, b) => b.rank - a.rank)
    for (const one of ranked) {
      if (one.score < LEAST_SCORE) break
      const [origin, other] = near
        .origins(one.found, range.start)
        .places.filter((from) => from.range && from.own >= LEAST_OWN_BACK)
      if (this.#settling.left < 0) return undefined
      if (!origin?.range || !meet(origin.range, range)) continue
      if (one.isHere) {
        if (this.#isOfAnother(range, one.found)) continue
      } else {
        const rival = ranked.find((another) => another !== one)
        if (other && other.score > origin.score * CLEAR) continue
        if (rival && rival.rank > one.rank * CLEAR) continue
      }
      const isAllThere =
        place &&
        one.found.start >= place.start &&
        one.found.end <= place.end &&
        this.#letters([place]) === this.#letters([one.found])
      return isAllThere ? place : one.found
    }
    return null
  }

  /** Whether the change put in anything near to where a range of the text before stands now. */
  #isAnythingNewNear(range: Range): boolean {
    const { start, end } = clipped(nearby(range), whole(this.#before))
    const now = { start: this.#map.place(start, -1), end: this.#map.place(end, 1) }
    return rangesWithin(this.#map.inserted, now).length > 0
  }

  /** Whether what stands there may have come with the change: of a change that is known, what it left may not. */
  #mayHaveCome(found: Range): boolean {
    return !this.#isCertain || this.#newCharacters(found) * 2 >= found.end - found.start
  }

  get #passages(): MovedPassage[] {
    if (!this.#moves) {
      const most = Math.min(PASSAGES, Math.max(0, this.#settling.left / 2))
      const budget = { left: most }
      this.#moves = findMovedPassages({ before: this.#before, after: this.#after }, this.#map, budget)
      this.#settling.left -= most - budget.left
    }
    return this.#moves
  }

  /** Where a range stands now if more of it, and of what stood around it, was moved than stayed. */
  #moved(range: Range): Range | null {
    const move = overlapping(this.#passages, range)
    if (!move) return null
    const local = shifted(-move.from.start)(clipped(range, move.from))
    const wide = clipped(around(range), move.from)
    const place = mapEnds(move.map, local)
    const stayed = this.#letters(this.#map.kept(clipped(around(range), whole(this.#before))))
    const went = this.#letters(move.map.kept(shifted(-move.from.start)(wide)).map(shifted(move.to.start)))
    if (!place || went <= stayed) return null
    const kept = move.map.kept(local).map(shifted(move.to.start))
    const found = this.#core(kept, shifted(move.to.start)(place), this.#letters([range], this.#before), went)
    const isFew = this.#letters([range], this.#before) < FEW_LETTERS
    if (!found || (isFew && !this.#isCarried(range, found, move))) return null
    return this.#leadsBack(range, found, false) ? found : null
  }

  /** Whether what stood beside words of few letters in a passage that was moved stands beside them there. */
  #isCarried({ start, end }: Range, place: Range, { from, to }: MovedPassage): boolean {
    const sides = [
      this.#before.slice(Math.max(from.start, start - CONTEXT), start),
      this.#after.slice(Math.max(to.start, place.start - CONTEXT), place.start),
      this.#before.slice(end, Math.min(from.end, end + CONTEXT)),
      this.#after.slice(place.end, Math.min(to.end, place.end + CONTEXT)),
    ] as const
    const [before, beforeNow, behind, behindNow] = sides
    const left = before.slice(before.length - commonSuffix(before, beforeNow))
    const right = behind.slice(0, commonPrefix(behind, behindNow))
    return ((left + right).match(WORD_CHARACTERS)?.length ?? 0) >= TELLING_BESIDE
  }

  /** Whether more of what stands at a place came from elsewhere than stayed there. */
  #isOfAnother(range: Range, place: Range): boolean {
    const move = overlapping(this.#passages, place, 'to')
    if (!move || meet(move.from, range)) return false
    const wide = clipped(around(place), move.to)
    const back = move.map.inverse(move.to.end - move.to.start)
    const came = back.kept(shifted(-move.to.start)(wide)).map(shifted(move.from.start))
    const stayed = this.#map.inverse(this.#after.length).kept(wide)
    return this.#letters(came, this.#before) > this.#letters(stayed, this.#before)
  }

  /** How many letters and digits some pieces of the new text hold. */
  #letters(pieces: readonly Range[], text = this.#after): number {
    let count = 0
    for (const { start, end } of pieces) {
      this.#budget.left -= (end - start) * COST.letter
      if (this.#budget.left < 0) break
      count += text.slice(start, end).match(WORD_CHARACTERS)?.length ?? 0
    }
    return count
  }

  /** The part of a place that holds what was kept of the words; null if that is no more than chance leaves. */
  #stayed(range: Range, place: Range): Range | null {
    const kept = this.#map.kept(range)
    const old = this.#before.slice(range.start, range.end)
    if (!WORD_CHARACTER.test(old) || this.#budget.left < 0) return kept.length > 0 ? place : null
    const wide = this.#letters(this.#map.kept(clipped(around(range), whole(this.#before))))
    return this.#core(kept, place, this.#letters([range], this.#before), wide)
  }

  #core(kept: readonly Range[], place: Range, letters: number, withContext: number): Range | null {
    const left = this.#letters(kept)
    const fresh = this.#letters([place]) - left
    const isEnough =
      left * 2 >= letters ||
      withContext - left >= CONTEXT / 2 ||
      kept.some((piece) => this.#letters([piece]) >= TELLING_LETTERS)
    if (left > 0 && isEnough && fresh <= 2 * left) return place
    // Two texts have a few small words in common by chance, however much lies between them.
    const long = kept.filter((piece) => this.#letters([piece]) >= TELLING_LETTERS)
    return long.length > 0 ? { start: long[0]!.start, end: long.at(-1)!.end } : null
  }

  #lettersOf = ({ exact }: Anchor) => exact.match(WORD_CHARACTERS)?.length ?? 0

  /** Where all the words stand that `place` is only a part of. */
  #findAround(anchor: Anchor, place: Range): Range | null {
    const { length } = anchor.exact
    const from = Math.max(0, place.end - length)
    const to = place.start + length
    this.#budget.left -= to - from
    if (to - from < length || this.#budget.left < 0) return null
    const part = this.#after.slice(from, to)
    const matches = findExact(part, anchor.exact, 0, part.length, this.#budget).map((match) => ({
      ...match,
      ...shifted(from)(match),
    }))
    return bestMatch(this.#after, anchor, matches, place.start, this.#budget)
  }

  #findExact(anchor: Anchor, range: Range | null, hint: number): Range | null {
    this.#found ??= findInRanges(this.#after, this.#map.inserted, this.#quotes, this.#budget)
    const { exact } = anchor
    const known = (this.#found.get(exact) ?? [])
      .map((start) => ({ start, end: start + exact.length, similarity: 1 }))
      .filter((match) => this.#newCharacters(match) > 0 && this.#isKnown(anchor, range, match))
      .filter((match) => !this.#stoodThere(anchor, range, match))
    if (known.length === 0 || this.#wentElsewhere(anchor, range) >= known.length) return null
    return this.#ownOf(known, anchor, range, hint)
  }

  /** At how many other places the change took the same words away: as many may only have been moved. */
  #wentElsewhere({ exact }: Anchor, range: Range | null): number {
    if (!this.#foundRemoved) {
      // Of what is left for finding the anchors' own words this may take a part.
      const most = Math.min(REMOVED, Math.max(0, this.#budget.left / 4))
      const budget = { left: this.#map.size.removed * COST.searched > most ? 0 : most }
      this.#foundRemoved = findInRanges(this.#before, this.#map.removed, this.#quotes, budget)
      if (budget.left > 0) this.#budget.left -= most - budget.left
    }
    return (this.#foundRemoved.get(exact) ?? []).filter((start) => {
      const there = { start, end: start + exact.length }
      return rangesWithin(this.#map.removed, there).length > 0 && !(range && meet(range, there))
    }).length
  }

  #findSimilar(anchor: Anchor, range: Range | null, hint: number, share: number): Range | null {
    const { exact } = anchor
    if (exact.length < SHORT) return null
    const text = this.#after.toString()
    const known: Match[] = []
    const reach = Math.round(share / COMPARING / 2)
    const near = rangesWithin(this.#map.inserted, { start: hint - reach, end: hint + reach })
    for (const { start, end } of widened(near, exact.length, this.#after.length)) {
      if (this.#budget.left < 0) break
      for (const match of findSimilar(text, exact, SIMILAR, hint, start, end, this.#budget)) {
        const mostlyNew = this.#newCharacters(match) * 2 >= match.end - match.start
        if (!mostlyNew || !areOwnWords(exact, text.slice(match.start, match.end), this.#budget)) continue
        if (this.#isKnown(anchor, range, match) && !this.#stoodThere(anchor, range, match)) known.push(match)
      }
    }
    return this.#ownOf(known, anchor, range, hint)
  }

  /** Of places that have the words, the one that fits best, if it doesn't fit others' words as well. */
  #ownOf(known: Match[], anchor: Anchor, range: Range | null, hint: number): Range | null {
    const best = bestMatch(this.#after, anchor, known, hint, this.#budget)
    return best && range && !this.#leadsBack(range, best, true) ? null : best
  }

  /** Whether what stands there now is what the change moved or edited, and not the anchor's own words. */
  #stoodThere(anchor: Anchor, range: Range | null, match: Match): boolean {
    for (const move of this.#passages) {
      if (!meet(move.to, match)) continue
      const back = move.map.inverse(move.to.end - move.to.start)
      const kept = back.kept(shifted(-move.to.start)(clipped(match, move.to))).map(shifted(move.from.start))
      const own = range && meet(move.from, range)
      if (!own && this.#letters(kept, this.#before) * 2 > this.#lettersOf(anchor)) return true
    }
    const back = this.#map.inverse(this.#after.length)
    const old = { start: back.place(match.start, -1), end: back.place(match.end, 1) }
    if (old.end <= old.start || (range && meet(range, old))) return false
    // What was put in place of far more, or far less, is no correction of it.
    if (old.end - old.start > 2 * (match.end - match.start) + 16) return false
    return similarity(anchor.exact, this.#before.slice(old.start, old.end), this.#budget) >= SIMILAR
  }

  #newCharacters(match: Range): number {
    return rangesWithin(this.#map.inserted, match).reduce((sum, { start, end }) => sum + end - start, 0)
  }

  /** Whether words found in new text are to be taken for the ones that were lost. */
  #isKnown(anchor: Anchor, range: Range | null, place: Match): boolean {
    if (anchor.exact.length >= (place.similarity < 1 ? TELLING_IF_SIMILAR : TELLING)) return true
    // What a decision had taken out comes back as it was: what is only like it may be the same words of another line.
    if (this.#isDecided && !range) return this.#isSurroundedAsBefore(anchor, place)
    if (this.#lettersOf(anchor) < FEW_LETTERS) return this.#isTold(anchor, place)
    const { prefix, suffix } = contextSimilarity(this.#after, anchor, place, this.#budget)
    if (prefix === undefined && suffix === undefined) return place.start === anchor.start
    const sides = [prefix, suffix].filter((side) => side !== undefined)
    const mean = sides.reduce((sum, side) => sum + side, 0) / sides.length
    if (mean >= 0.5) return true
    return Math.max(prefix ?? 0, suffix ?? 0) >= 0.9
  }

  /** Whether all that stood around words of few letters does again, or came with them and tells them from others. */
  #isTold(anchor: Anchor, place: Range): boolean {
    const { prefix, suffix } = anchor
    const { start, end } = place
    const [before, behind] = [prefix.slice(-CONTEXT), suffix.slice(0, CONTEXT)]
    const isAll =
      this.#after.slice(Math.max(0, start - before.length), start) === before &&
      this.#after.slice(end, end + behind.length) === behind
    return isAll || this.#isSurroundedAsBefore(anchor, place, TELLING_BESIDE)
  }

  /**
   * Whether all that came with words in one piece stands around them as their anchor has it.
   * @param least how many letters of that there have to be
   */
  #isSurroundedAsBefore({ prefix, suffix }: Anchor, { start, end }: Range, least = 0): boolean {
    return this.#map.inserted.some((put) => {
      if (put.start > start || put.end < end) return false
      const [before, behind] = [prefix.slice(-CONTEXT), suffix.slice(0, CONTEXT)]
      const left = this.#after.slice(Math.max(put.start, start - before.length), start)
      const right = this.#after.slice(end, Math.min(put.end, end + behind.length))
      const isSame =
        commonSuffix(before, left) === left.length && commonPrefix(behind, right) === right.length
      return isSame && ((left + right).match(WORD_CHARACTERS)?.length ?? 0) >= least
    })
  }
}

/** A range with so much of what stands around it as an anchor remembers. */
const around = ({ start, end }: Range): Range => ({ start: start - CONTEXT, end: end + CONTEXT })
const nearby = ({ start, end }: Range): Range => ({ start: start - NEAR, end: end + NEAR })
const whole = (text: Readable): Range => ({ start: 0, end: text.length })
const clipped = (range: Range, to: Range): Range => ({
  start: Math.max(to.start, range.start),
  end: Math.min(to.end, range.end),
})
const shifted =
  (by: number) =>
  ({ start, end }: Range): Range => ({ start: start + by, end: end + by })
const meet = (a: Range, b: Range) => a.start < b.end && b.start < a.end

/** The passage that most of a range of one of the texts is in. */
function overlapping(
  moves: readonly MovedPassage[],
  range: Range,
  side: 'from' | 'to' = 'from',
): MovedPassage | null {
  let best: MovedPassage | null = null
  let most = 0
  for (const move of moves) {
    const common = Math.min(move[side].end, range.end) - Math.max(move[side].start, range.start)
    if (common > most) [best, most] = [move, common]
  }
  return best
}
