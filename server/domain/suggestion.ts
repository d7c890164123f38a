import type { Anchor, Range } from '../contract/records/anchors.ts'
import type { PlaceBefore } from './anchors/place-before.ts'
import { ChangeMap } from './change-map.ts'
import { applyChanges, ChangeSet, composeAll, wordReplacements, type Replacement } from './change-set.ts'
import { costOfFirst, findFirst } from './anchors/exact-search.ts'
import type { Budget } from './budget.ts'
import { FollowedPlace } from './followed-place.ts'
import { haveGrown, haveGrownBeside, type Sides } from './grown-words.ts'
import { byPlace, standsBefore, type Turn } from './order-at-place.ts'
import { toldBy } from './whole-ends.ts'

/** What is needed to know where a suggestion applies. `range` is where its words were last mapped to. */
export interface SuggestionPlace {
  original_text: string
  anchor: Anchor | null
  range: Range | null
}

export interface SuggestedChange extends SuggestionPlace {
  suggested_text: string
  /** Of one that puts something in: when it was made among others. Without, it comes behind those at its place. */
  turn?: number | undefined
  /** Of one that puts something in: where it stood before decisions that took out what stood there. */
  takenOut?: readonly PlaceBefore[]
}

/**
 * Where accepting would apply now: only ever a place whose text equals `original_text` exactly. With an anchor that is
 * where the anchor stands, and nowhere else, as long as the words haven’t become a part of larger ones; without one it is
 * the first such place. Null too where looking for it would exceed `budget`.
 */
export function placeSuggestion(
  content: string,
  suggestion: SuggestionPlace,
  budget: Budget = { left: Infinity },
): Range | null {
  const { original_text: words, anchor, range } = suggestion
  // Something is put in where its anchor stands.
  if (!words) return range && range.start === range.end && range.end <= content.length ? range : null
  const place = placeOfWords(content, suggestion, budget)
  return place && anchor && haveGrown(content, place, anchor) ? null : place
}

function placeOfWords(
  content: string,
  { original_text: words, anchor, range }: SuggestionPlace,
  budget: Budget,
): Range | null {
  const at = (start: number) =>
    start >= 0 && content.startsWith(words, start) ? { start, end: start + words.length } : null
  if (range && range.end - range.start === words.length && content.startsWith(words, range.start)) {
    return at(range.start)
  }
  if (anchor) return range && at(startWithin(content, words, anchor, range))
  const cost = costOfFirst(content, words)
  if (budget.left < cost) return null
  budget.left -= cost
  return at(findFirst(content, words))
}

/** Where a suggestion without an anchor is marked: where its words stand, if they stand there alone. */
export function placeUnanchored(content: string, words: string, budget: Budget): Range | null {
  const place = placeSuggestion(content, { original_text: words, anchor: null, range: null }, budget)
  if (!place) return null
  const after = content.slice(place.start + 1)
  const cost = costOfFirst(after, words)
  if (budget.left < cost) return null
  budget.left -= cost
  return findFirst(after, words) < 0 ? place : null
}

/** Where the words begin if they are only a part of what an anchor stands on, or that is a part of them; else -1. */
function startWithin(content: string, words: string, { exact }: Anchor, { start, end }: Range): number {
  const around = findFirst(words, exact)
  if (around >= 0) return start - around
  const standing = content.slice(start, end)
  if (standing === exact) return shifted(findFirst(exact, words), start)
  const first = findFirst(standing, words)
  // Of several it might be any.
  const isOnly = first >= 0 && findFirst(standing.slice(first + 1), words) < 0
  return isOnly ? start + first : -1
}

const shifted = (at: number, by: number) => (at < 0 ? at : at + by)

/**
 * Applies several suggestions in order, up to one whose words another of them has touched, or made a part of larger ones:
 * where such a one is now, only following what the others did tells. The first always has its turn.
 */
export function applySuggestions(
  content: string,
  suggestions: readonly SuggestedChange[],
): AppliedSuggestions {
  const drafting = new Drafting(content)
  const applied: boolean[] = []
  for (const suggestion of suggestions) {
    const isPlaced = Boolean(suggestion.range ?? suggestion.anchor)
    // Without a place it is about the first such words, whichever those are when its turn comes.
    const place = placeSuggestion(isPlaced ? content : drafting.written(), suggestion)
    const isDone = place !== null && drafting.replace(place, suggestion, isPlaced)
    if (place !== null && !isDone && applied.includes(true)) break
    applied.push(isDone)
  }
  const written = drafting.written()
  const places = suggestions.slice(0, applied.length).map((suggestion) => drafting.placeOf(suggestion))
  return { content: written, changes: drafting.changes(), applied, places }
}

export interface AppliedSuggestions {
  content: string
  changes: ChangeSet
  /** Of each that has had its turn, in the same order, whether its words were still there. */
  applied: boolean[]
  /** Where the words of each stand in the new text; null of one that isn’t applied, or that a later one has changed. */
  places: (Range | null)[]
}

/** What waits to be written, and for what it is. */
interface Waiting extends Replacement {
  of: Turn
}

/** A text with many replacements, which become one change without the text being written anew for each. */
class Drafting {
  readonly #original: string
  #text: string
  /** The changes that have been written into the text since the original one. */
  readonly #written: { changes: ChangeSet; map: ChangeMap }[] = []
  /** Those that haven't: what each replaces in the text, in order, none touching another. */
  #waiting: Waiting[] = []
  /** What of these was suggested, and where in the text it replaces something. */
  #replacing: { suggestion: SuggestedChange; of: Turn }[] = []
  /** Where what was written stands in the text as it was written last. */
  readonly #places = new Map<SuggestedChange, FollowedPlace>()

  constructor(original: string) {
    this.#original = original
    this.#text = original
  }

  /**
   * Replaces words of the original text, or of the text as it was written last; false where another one has touched them,
   * or made them a part of larger ones.
   */
  replace(place: Range, suggestion: SuggestedChange, isOfOriginal: boolean): boolean {
    let range = place
    for (const { map } of isOfOriginal ? this.#written : []) {
      if (map.touches(range)) return false
      const start = map.place(range.start, 1)
      range = { start, end: start + range.end - range.start }
    }
    const { original_text: words, suggested_text, anchor, turn = Infinity, takenOut } = suggestion
    if (this.#isTouched(range)) return false
    if (words && anchor && haveGrownBeside(words, this.#sidesOf(range), anchor)) return false
    const replacements = wordReplacements(this.#text, range.start, range.end, suggested_text)
    const of = { ...range, turn, takenOut }
    this.#waiting.splice(this.#indexFor(of), 0, ...replacements.map((one) => ({ ...one, of })))
    this.#replacing.push({ suggestion, of })
    return true
  }

  /** The text with everything so far. */
  written(): string {
    if (this.#waiting.length > 0) {
      const changes = ChangeSet.of(this.#waiting, this.#text.length)
      this.#text = applyChanges(this.#text, changes)
      const map = ChangeMap.of(changes)
      this.#written.push({ changes, map })
      this.#waiting = []
      for (const place of this.#places.values()) place.follow(map)
    }
    this.#placeReplacing()
    return this.#text
  }

  /** Where the words of a suggestion stand in the text as it was written last. */
  placeOf(suggestion: SuggestedChange): Range | null {
    return this.#places.get(suggestion)?.place ?? null
  }

  /** All that was written, as one change. */
  changes(): ChangeSet {
    return composeAll(
      this.#written.map((one) => one.changes),
      this.#original.length,
    )
  }

  /** Those that were written just now. Of two that overlap, neither has its words for itself. */
  #placeReplacing() {
    const inOrder = this.#replacing.toSorted((a, b) => byPlace(a.of, b.of))
    this.#replacing = []
    let shift = 0
    let reached = 0
    inOrder.forEach(({ suggestion, of: range }, i) => {
      const { length } = suggestion.suggested_text
      const start = range.start + shift
      const overlaps = range.start < reached || (inOrder[i + 1]?.of.start ?? Infinity) < range.end
      if (!overlaps) this.#places.set(suggestion, new FollowedPlace({ start, end: start + length }))
      reached = Math.max(reached, range.end)
      shift += length - (range.end - range.start)
    })
  }

  #isTouched({ start, end }: Range): boolean {
    const index = this.#indexFor({ start, end, turn: Infinity })
    const before = this.#waiting[index - 1]
    if (before && before.to > start) return true
    const next = this.#waiting[index]
    return next !== undefined && next.from < end
  }

  /** What stands beside words that none touches once all that wait are written. */
  #sidesOf({ start, end }: Range): Sides {
    const index = this.#indexFor({ start, end, turn: Infinity })
    let [from, to] = [start, end]
    let [before, behind] = ['', '']
    for (let i = index - 1; before.length < toldBy && this.#waiting[i]?.to === from; i--) {
      const { insert } = this.#waiting[i]!
      before = insert.sliceString(Math.max(0, insert.length - toldBy)) + before
      from = this.#waiting[i]!.from
    }
    for (let i = index; behind.length < toldBy && this.#waiting[i]?.from === to; i++) {
      behind += this.#waiting[i]!.insert.sliceString(0, toldBy)
      to = this.#waiting[i]!.to
    }
    return {
      before: (this.#text.slice(Math.max(0, from - toldBy), from) + before).slice(-toldBy),
      behind: (behind + this.#text.slice(to, to + toldBy)).slice(0, toldBy),
    }
  }

  /** Where a replacement comes among those that wait: what is put in stands before what is for words behind it. */
  #indexFor(own: Turn): number {
    const { start, end } = own
    let index = this.#firstAfter(start)
    const isBehind = ({ from, to, of }: Waiting) => from === start && (to > start || standsBefore(own, of))
    while (start === end && index > 0 && isBehind(this.#waiting[index - 1]!)) index--
    return index
  }

  /** The first that waits and begins after a place. */
  #firstAfter(at: number): number {
    let low = 0
    let high = this.#waiting.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#waiting[middle]!.from <= at) low = middle + 1
      else high = middle
    }
    return low
  }
}
