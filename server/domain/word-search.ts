import type { Range } from '../contract/records/anchors.ts'
import { toLf } from './line-endings.ts'

interface Kept {
  /** So many of the first are kept. */
  most: number
  /** And these, by their numbers from 1 on. */
  wanted: ReadonlySet<number>
}

export type Occurrences = Pick<Tally, 'count' | 'first' | 'chosen'>

/** Places that were counted, of which only those are kept that somebody wants to know. */
class Tally {
  count = 0
  readonly first: Range[] = []
  readonly chosen = new Map<number, Range>()
  readonly #kept: Kept

  constructor(kept: Kept) {
    this.#kept = kept
  }

  add(place: Range) {
    this.count++
    if (this.first.length < this.#kept.most) this.first.push(place)
    if (this.#kept.wanted.has(this.count)) this.chosen.set(this.count, place)
  }
}

const lineBreak = /[\r\n]/

/** Looks for words in one text, for one after the other. */
export class WordSearch {
  readonly #content: string
  /** The text with line feeds alone, and where in that stand those which were two signs. */
  #folded: { text: string; pairs: readonly number[] } | undefined

  constructor(content: string) {
    this.#content = content
  }

  /** Agents write line feeds; the text may have other breaks, or several kinds. Where it has the very ones, these are meant. */
  find({ find, start, end }: Range & { find: string }, kept: Kept): Occurrences {
    const all = new Tally(kept)
    if (!lineBreak.test(find)) {
      eachOccurrence(this.#content, find, { start, end }, (at) =>
        all.add({ start: at, end: at + find.length }),
      )
      return all
    }
    const exact = new Tally(kept)
    const { text, pairs } = (this.#folded ??= folded(this.#content))
    const words = toLf(find)
    const within = { start: start - pairsBefore(pairs, start), end: end - pairsBefore(pairs, end) }
    // The places come in their order, and so do the pairs.
    let before = 0
    const whereIs = (place: number) => {
      while (before < pairs.length && pairs[before]! < place) before++
      return place + before
    }
    eachOccurrence(text, words, within, (at) => {
      const place = { start: whereIs(at), end: whereIs(at + words.length) }
      all.add(place)
      if (this.#content.startsWith(find, place.start) && place.end - place.start === find.length)
        exact.add(place)
    })
    return exact.count > 0 ? exact : all
  }
}

function folded(content: string): { text: string; pairs: number[] } {
  const pairs: number[] = []
  for (let at = content.indexOf('\r\n'); at >= 0; at = content.indexOf('\r\n', at + 2))
    pairs.push(at - pairs.length)
  return { text: toLf(content), pairs }
}

/** How many pairs there are before a place of the text as it is. */
function pairsBefore(pairs: readonly number[], place: number): number {
  let low = 0
  let high = pairs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (pairs[middle]! + middle < place) low = middle + 1
    else high = middle
  }
  return low
}

function eachOccurrence(
  content: string,
  words: string,
  { start, end }: Range,
  tell: (at: number) => void,
): void {
  if (words === '') return
  for (let at = content.indexOf(words, start); at >= 0 && at + words.length <= end;) {
    tell(at)
    at = content.indexOf(words, at + words.length)
  }
}
