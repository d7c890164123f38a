import type { Range } from '../../../server/contract/records/anchors.ts'
import type { Manuscript } from './manuscript.ts'
import type { Random } from './random.ts'

/** Words somebody commented on. */
export interface NumberedSpan extends Range {
  /** The numbers of its letters and digits in the manuscript. */
  letters: number[]
  /** And of its signs. */
  signs: number[]
}

/** Where something is to be put in: between two characters, by their numbers. */
export interface NumberedPlace {
  at: number
  before: number
  after: number
  /** The first behind it that is no white space, unless a blank line comes before that. */
  next: number | null
}

/** White space within a paragraph. */
const SPACE = /^[^\S\n]*\n?[^\S\n]*/

/** Places between words. */
export function choosePlaces(text: string, count: number, random: Random): NumberedPlace[] {
  return Array.from({ length: count }, () => {
    const rough = random.between(1, text.length - 1000)
    const at = text.slice(rough).search(/(?<=\S)\s/) + rough
    const next = at + SPACE.exec(text.slice(at, at + 200))![0].length
    return { at, before: at - 1, after: at, next: /\S/.test(text[next]!) ? next : null }
  })
}

/** From a word to a paragraph, most of them a few words; none goes over the end of its paragraph. */
export function chooseSpans(text: string, count: number, random: Random): NumberedSpan[] {
  const spans: NumberedSpan[] = []
  while (spans.length < count) {
    const rough = random.below(text.length - 1000)
    const start = text.slice(rough).search(/(?<=\s)[\p{L}\p{N}]/u) + rough
    const [least, most] = random.of([
      [1, 12],
      [8, 40],
      [20, 80],
      [60, 300],
    ] as const)
    const wanted = start + random.between(least, most)
    const paragraph = text.indexOf('\n\n', start)
    const restOfWord = /^[\p{L}\p{N}]*/u.exec(text.slice(wanted))![0].length
    const end = Math.min(wanted + restOfWord, paragraph < 0 ? text.length : paragraph)
    const letters: number[] = []
    const signs: number[] = []
    for (let at = start; at < end; at++) {
      if (/[\p{L}\p{N}]/u.test(text[at]!)) letters.push(at)
      else if (/\S/.test(text[at]!)) signs.push(at)
    }
    spans.push({ start, end, letters, signs })
  }
  return spans
}

/**
 * - right: on its words
 * - part: on some of its own words and nothing else, but on fewer than half of those that are left
 * - wrong: on other words
 * - detached: nowhere, though words of it are left
 * - revived: on other words, and none of its own is left
 */
export type Verdict = 'right' | 'part' | 'wrong' | 'detached' | 'revived'

/** Judges where anchors stand by where their characters are. */
export class Judge {
  /** By the number of a character: where it is. */
  readonly #places = new Map<number, number>()
  /** By the number of a character: the copies of it that came with the last save. */
  readonly #copies = new Map<number, number[]>()

  readonly #on: Manuscript

  /** @param freshFrom characters whose number is at least this came with the last save */
  constructor(on: Manuscript, freshFrom: number) {
    this.#on = on
    on.ids.forEach((id, at) => {
      this.#places.set(id, at)
      let origin = id
      while (origin >= freshFrom && on.copiedFrom.has(origin)) {
        origin = on.copiedFrom.get(origin)!
        const copies = this.#copies.get(origin)
        if (copies) copies.push(id)
        else this.#copies.set(origin, [id])
      }
    })
  }

  /** Whether any letter of it is left. */
  lives = (span: NumberedSpan) => this.#left(span).length > 0

  /** From the first to the last of what is left of it. */
  stretch(span: NumberedSpan): Range | null {
    const left = this.#left(span)
    return left.length > 0 ? { start: left[0]!, end: left.at(-1)! + 1 } : null
  }

  /**
   * Right is what covers at least half of the letters that are left, and not much besides them. Where less than half
   * of them is left, it is anything that touches one. Where none is left, only nowhere is right.
   */
  judge(span: NumberedSpan, range: Range | null): Verdict {
    const left = this.#left(span)
    if (left.length === 0) return range ? 'revived' : 'right'
    if (!range) return 'detached'
    const inside = left.filter((at) => at >= range.start && at < range.end)
    if (left.length * 2 < span.letters.length) return inside.length > 0 ? 'right' : 'wrong'
    if (inside.length * 2 < left.length) return inside.length * 2 >= this.#letters(range) ? 'part' : 'wrong'
    // Its own signs are nothing besides its words: a fence of code has dozens of them.
    const own = [...inside, ...this.#placesOf(span.signs).filter((at) => at >= range.start && at < range.end)]
    const stretch = Math.max(...own) + 1 - Math.min(...own)
    return range.end - range.start <= 2 * stretch + 24 ? 'right' : 'wrong'
  }

  /**
   * A copy of words that was made in the very save is, to whoever sees only texts, as good as what it was made of. If an
   * anchor went to one that holds as much of the words as is left of them elsewhere, it is judged by that from then
   * on; null otherwise. How many these are is told beside what is right.
   */
  adopted(span: NumberedSpan, range: Range | null): NumberedSpan | null {
    if (!range || this.judge(span, range) === 'right') return null
    // A copy may stand within the words, and then hold one part of them beside another that is theirs.
    const inside = (number: number) =>
      [number, ...(this.#copies.get(number) ?? [])]
        .filter((id) => {
          const at = this.#places.get(id)
          return at !== undefined && at >= range.start && at < range.end
        })
        .slice(0, 1)
    const letters = span.letters.flatMap(inside)
    const isWhole = letters.length * 2 >= span.letters.length && letters.length >= this.#left(span).length
    return isWhole ? { ...span, letters, signs: span.signs.flatMap(inside) } : null
  }

  /** A suggestion is applied where the very words that it quotes stand: its own, or the same elsewhere. */
  judgeSuggestion(span: NumberedSpan, range: Range | null, exact: string): Verdict {
    const left = this.#left(span)
    const applies = range !== null && this.#on.text.slice(range.start, range.end) === exact
    const isOwn = applies && left.filter((at) => at >= range.start && at < range.end).length * 2 > left.length
    if (this.isWhole(span, exact)) return applies ? (isOwn ? 'right' : 'wrong') : 'detached'
    return applies && !isOwn ? 'revived' : 'right'
  }

  /** Whether all of its words are left, as they were. */
  isWhole(span: NumberedSpan, exact: string): boolean {
    const left = this.#left(span)
    return left.length === span.letters.length && this.#on.text.startsWith(exact, left[0])
  }

  /**
   * Where a place between two characters is now: beside one of them, if it is left, or right before the word that stood
   * behind it. Of “one three” and “one two three” nobody can tell on which side of “two” the old space is.
   */
  judgeInsertion(place: NumberedPlace, range: Range | null): Verdict {
    const { before, after, next } = place
    const places = [before, after].map((id) => this.#places.get(id))
    if (!range) return this.isThere(place) ? 'detached' : 'right'
    const space = SPACE.exec(this.#on.text.slice(range.start, range.start + 200))![0]
    const isBeside =
      places[0] === range.start - 1 ||
      places[1] === range.start ||
      (next !== null && this.#places.get(next) === range.start + space.length)
    return isBeside ? 'right' : this.isThere(place) ? 'wrong' : 'revived'
  }

  /** The same of a place between characters that was made in the very save: beside a copy of what it stood beside. */
  adoptedPlace(place: NumberedPlace, range: Range | null): NumberedPlace | null {
    if (!range || this.judgeInsertion(place, range) === 'right') return null
    const copyAt = (id: number, at: number) =>
      (this.#copies.get(id) ?? []).find((copy) => this.#places.get(copy) === at)
    const before = copyAt(place.before, range.start - 1)
    const after = copyAt(place.after, range.start)
    if (before === undefined && after === undefined) return null
    return { ...place, before: before ?? place.before, after: after ?? place.after }
  }

  /** Behind what stood before it and before what stood behind it, as far as these are left. */
  besides({ before, after }: NumberedPlace): [Range | null, Range | null] {
    const [left, right] = [this.#places.get(before), this.#places.get(after)]
    const at = (place: number) => ({ start: place, end: place })
    return [left === undefined ? null : at(left + 1), right === undefined ? null : at(right)]
  }

  /** Whether a word is left that it stood beside, or the end of its paragraph. Of white space alone nobody knows which it is. */
  isThere({ before, after, next }: NumberedPlace): boolean {
    return this.#places.has(before) || this.#places.has(next ?? after)
  }

  #letters = ({ start, end }: Range) => this.#on.text.slice(start, end).match(/[\p{L}\p{N}]/gu)?.length ?? 0

  #left = ({ letters }: NumberedSpan) => this.#placesOf(letters)

  #placesOf(numbers: readonly number[]): number[] {
    return numbers
      .flatMap((id) => {
        const at = this.#places.get(id)
        return at === undefined ? [] : [at]
      })
      .sort((a, b) => a - b)
  }
}
