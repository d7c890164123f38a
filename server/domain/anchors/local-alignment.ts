import type { Range } from '../../contract/records/anchors.ts'
import type { ChangeMap } from '../change-map.ts'
import { PassagePairs } from './passage-pairs.ts'
import { PassageWords } from './passage-words.ts'
import { widened } from '../ranges.ts'
import { Vocabulary } from '../tokens.ts'
import { isSpelledOtherwise } from './words-in-order.ts'
import type { Budget } from '../budget.ts'

/** So much text on each side of words tells where they are. */
export const NEAR = 90
/** So much around what was changed is read. */
const READ = 160
/** How many words a place may be off from where a run of words says it is. */
const SLACK = 16
/** A run of words that stands at more places tells nothing. */
const SEVERAL = 12
const MOST_WINDOWS = 3
/** So many new words between two old ones, beside what stood there, part them. */
const FRESH = 5
const MOST_WORDS = 200
/** What a word that stands on one side only costs: sentences come and go within a passage. */
const GAP = 0.4
/** Words of the stretch itself tell more than those around it. */
const OWN = 2
const COST = { cell: 3, read: 60, seed: 20 }

/** Where a stretch of one text stands in the other. */
export interface Counterpart {
  /** From the first to the last of its words that stand there; null if only what stood around them does. */
  range: Range | null
  /** How much of it, and of what stands around it, is there. */
  score: number
  /** How much of its own words, from 0 to 1. */
  own: number
}

interface Counterparts {
  /** The best first. */
  places: Counterpart[]
  /** How much the words and what stands around them tell: of a few small ones nothing follows. */
  telling: number
}

const UNTOLD: Counterparts = { places: [], telling: 0 }

interface Side {
  words: PassageWords
  /** By a hash of two words: the last place of them, and from there the one before. */
  heads: Int32Array
  previous: Int32Array
}

/**
 * Tells where words are by what stands around them, in whichever order the passages of a text stand now. The
 * neighbourhood of a stretch is aligned word by word, whatever white space lies between, with each place of the other
 * text that has a few of its rarer words: Smith and Waterman's local alignment. Only what a change has touched, and a
 * little around it, is looked at.
 */
export class LocalAlignment {
  readonly #budget: Budget
  readonly #before: Side
  readonly #after: Side
  readonly #weights: Float64Array
  #pairs: PassagePairs | undefined
  /** Whether the budget was enough to read all that was changed. */
  readonly whole: boolean

  constructor(before: string, after: string, map: ChangeMap, budget: Budget) {
    this.#budget = budget
    const regions = [
      widened(map.touched.before, READ, before.length),
      widened(map.touched.after, READ, after.length),
    ] as const
    const size = regions.flat().reduce((sum, { start, end }) => sum + end - start, 0)
    const enough = size * COST.read <= budget.left
    const vocabulary = new Vocabulary()
    const read = (text: string, those: Range[]) =>
      new PassageWords(text, enough ? those : [], vocabulary, budget)
    const [a, b] = [read(before, regions[0]), read(after, regions[1])]
    this.whole = enough && a.whole && b.whole
    this.#before = indexed(a)
    this.#after = indexed(b)
    const times = new Int32Array(vocabulary.size)
    for (const { ids } of [a, b]) for (const id of ids) times[id]!++
    this.#weights = new Float64Array(vocabulary.size)
    for (const { ids, starts, ends } of [a, b]) {
      for (const [i, id] of ids.entries()) {
        const often = times[id]!
        const telling = often <= 4 ? 1 : often <= 16 ? 0.6 : often <= 64 ? 0.35 : 0.15
        this.#weights[id] = Math.min(8, ends[i]! - starts[i]!) * telling
      }
    }
  }

  /** Which words of the two texts belong together. */
  get pairs(): PassagePairs {
    this.#pairs ??= new PassagePairs(this.#before.words, this.#after.words, this.#weights, this.#budget)
    return this.#pairs
  }

  /** The places of the new text where a range of the old one may stand, the best first. */
  counterparts(range: Range, near: number): Counterparts {
    return this.#counterparts(this.#before, this.#after, range, near)
  }

  /** The places of the old text where a range of the new one may have stood, the best first. */
  origins(range: Range, near: number): Counterparts {
    return this.#counterparts(this.#after, this.#before, range, near)
  }

  #counterparts(from: Side, to: Side, range: Range, near: number): Counterparts {
    const { words } = from
    const first = words.firstEndingAfter(range.start)
    const last = words.firstStartingAt(range.end)
    if (first >= last || this.#budget.left < 0) return UNTOLD
    let start = words.firstEndingAfter(range.start - NEAR)
    let end = words.firstStartingAt(range.end + NEAR)
    while (words.region[start] !== words.region[first]) start++
    while (words.region[end - 1] !== words.region[last - 1]) end--
    if (end - start > MOST_WORDS || words.region[start] !== words.region[end - 1]) return UNTOLD
    const here = to.words.firstEndingAfter(near) - (first - start)
    const windows = [here, ...this.#paired(from, start, end), ...this.#windows(from, to, start, end)]
    const tried: number[] = []
    const found: Counterpart[] = []
    for (const at of windows) {
      if (tried.some((other) => Math.abs(other - at) < SLACK / 2)) continue
      tried.push(at)
      const one = this.#align(from, to, { start, end, first, last }, at, range)
      if (one) {
        const same = found.findIndex((other) => isSame(other, one))
        if (same < 0) found.push(one)
        else if (found[same]!.score < one.score) found[same] = one
      }
      if (this.#budget.left < 0) break
    }
    let telling = 0
    for (let i = start; i < end; i++) telling += this.#weights[words.ids[i]!]!
    return { places: found.sort((x, y) => y.score - x.score), telling }
  }

  /** Where a stretch of words would begin in the other text by the partners of its words. */
  #paired(from: Side, start: number, end: number): number[] {
    const partners = from === this.#before ? this.pairs.now : this.pairs.was
    const votes = new Map<number, number>()
    for (let i = start; i < end; i++) {
      const j = partners[i]!
      if (j < 0) continue
      const bucket = (j - (i - start)) >> 3
      const weight = this.#weights[from.words.ids[i]!]!
      for (const near of [bucket, bucket + 1]) votes.set(near, (votes.get(near) ?? 0) + weight)
    }
    return [...votes]
      .sort((x, y) => y[1] - x[1])
      .slice(0, MOST_WINDOWS + 1)
      .map(([bucket]) => bucket << 3)
      .filter((at, i, all) => all.slice(0, i).every((other) => Math.abs(other - at) > 8))
  }

  /** Where some stretch of words would begin in the other text, by where pairs of its words and rare words are. */
  #windows(from: Side, to: Side, start: number, end: number): number[] {
    const votes = new Map<number, number>()
    for (let i = start; i + 1 < end && this.#budget.left >= 0; i++) {
      const weight = this.#weights[from.words.ids[i]!]! + this.#weights[from.words.ids[i + 1]!]!
      let count = 0
      const places: number[] = []
      for (
        let j = to.heads[nameOf(from.words, i) & (to.heads.length - 1)]! - 1;
        j >= 0;
        j = to.previous[j]! - 1
      ) {
        this.#budget.left -= COST.seed
        if (++count > SEVERAL * 4) break
        if (to.words.ids[j] === from.words.ids[i] && to.words.ids[j + 1] === from.words.ids[i + 1])
          places.push(j)
      }
      if (places.length > SEVERAL || count > SEVERAL * 4) continue
      for (const j of places) {
        const bucket = (j - (i - start)) >> 3
        for (const near of [bucket, bucket + 1]) {
          votes.set(near, (votes.get(near) ?? 0) + weight / places.length)
        }
      }
    }
    return [...votes]
      .sort((x, y) => y[1] - x[1])
      .slice(0, MOST_WINDOWS * 2)
      .map(([bucket]) => bucket << 3)
      .filter((at, i, all) => all.slice(0, i).every((other) => Math.abs(other - at) > 8))
      .slice(0, MOST_WINDOWS)
  }

  #align(
    from: Side,
    to: Side,
    { start, end, first, last }: { start: number; end: number; first: number; last: number },
    at: number,
    range: Range,
  ): Counterpart | null {
    const [a, b] = [from.words, to.words]
    const low = Math.max(0, at - SLACK)
    const high = Math.min(b.count, at + (end - start) + SLACK)
    const [rows, columns] = [end - start, high - low]
    if (columns <= 0) return null
    this.#budget.left -= rows * columns * COST.cell
    if (this.#budget.left < 0) return null
    const scores = new Float64Array((rows + 1) * (columns + 1))
    const ways = new Uint8Array((rows + 1) * (columns + 1))
    let [best, bestAt] = [0, 0]
    for (let i = 1; i <= rows; i++) {
      const id = a.ids[start + i - 1]!
      const isOwn = start + i - 1 >= first && start + i - 1 < last
      const weight = this.#weights[id]! * (isOwn ? OWN : 1)
      for (let j = 1; j <= columns; j++) {
        const cell = i * (columns + 1) + j
        const diagonal = cell - columns - 2
        let score = 0
        let way = 0
        if (b.ids[low + j - 1] === id) {
          score = scores[diagonal]! + weight
          // Words that go on from the one before are more than the same ones strewn about.
          if (ways[diagonal] === 1) score += weight * 0.5
          way = 1
        }
        const up = scores[cell - columns - 1]! - GAP
        if (up > score) [score, way] = [up, 2]
        const left = scores[cell - 1]! - GAP
        if (left > score) [score, way] = [left, 3]
        scores[cell] = score
        ways[cell] = way
        if (score > best) [best, bestAt] = [score, cell]
      }
    }
    if (best === 0) return null
    const pairs: [number, number][] = []
    const partners = from === this.#before ? this.pairs.now : this.pairs.was
    let agreed = 0
    for (let cell = bestAt; ways[cell] !== 0;) {
      const way = ways[cell]
      if (way === 1) {
        const i = start + Math.floor(cell / (columns + 1)) - 1
        const j = low + (cell % (columns + 1)) - 1
        if (partners[i] === j) agreed += this.#weights[a.ids[i]!]!
        if (i >= first && i < last) pairs.push([i, j])
      }
      cell -= way === 1 ? columns + 2 : way === 2 ? columns + 1 : 1
    }
    let all = 0
    for (let i = first; i < last; i++) all += this.#weights[a.ids[i]!]!
    const { whole, weight } = this.#together(pairs.reverse(), a)
    // What belongs together by all that is around it tells copies apart that are alike.
    const score = best + agreed
    if (whole.length === 0) return { range: null, score, own: 0 }
    let [[i, from0], [k, to0]] = [whole[0]!, whole.at(-1)!]
    // A word at the edge may have been spelled otherwise.
    while (i > first && from0 > 0 && isSpelledOtherwise(a, i - 1, b, from0 - 1))
      [i, from0] = [i - 1, from0 - 1]
    while (k + 1 < last && to0 + 1 < b.count && isSpelledOtherwise(a, k + 1, b, to0 + 1))
      [k, to0] = [k + 1, to0 + 1]
    const place = {
      start: b.starts[from0]! + Math.max(0, range.start - a.starts[i]!),
      end: b.ends[to0]! - Math.max(0, a.ends[k]! - range.end),
    }
    return { range: place.start < place.end ? place : null, score, own: weight / all }
  }

  /** Of words that were found, those that are one stretch: a single one beyond many others is there by chance. */
  #together(
    pairs: readonly [number, number][],
    words: PassageWords,
  ): { whole: [number, number][]; weight: number } {
    const groups: { whole: [number, number][]; weight: number }[] = []
    for (const pair of pairs) {
      const last = groups.at(-1)
      const before = last?.whole.at(-1)
      const weight = this.#weights[words.ids[pair[0]]!]!
      if (last && before && pair[1] - before[1] <= 2 * (pair[0] - before[0]) + FRESH) {
        last.whole.push(pair)
        last.weight += weight
      } else groups.push({ whole: [pair], weight })
    }
    const most = Math.max(0, ...groups.map(({ weight }) => weight))
    const kept = groups.filter(({ weight }) => weight * 4 >= most)
    return {
      whole: kept.flatMap(({ whole }) => whole),
      weight: kept.reduce((sum, { weight }) => sum + weight, 0),
    }
  }
}

const isSame = (one: Counterpart, other: Counterpart) =>
  one.range && other.range
    ? one.range.start < other.range.end && other.range.start < one.range.end
    : one.range === other.range

function nameOf({ ids }: PassageWords, i: number): number {
  const mixed = Math.imul(ids[i]! ^ Math.imul(ids[i + 1]!, 0x85ebca6b), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

function indexed(words: PassageWords): Side {
  const heads = new Int32Array(2 ** Math.ceil(Math.log2(words.count + 2)))
  const previous = new Int32Array(words.count)
  for (let i = 0; i + 1 < words.count; i++) {
    const slot = nameOf(words, i) & (heads.length - 1)
    previous[i] = heads[slot]!
    heads[slot] = i + 1
  }
  return { words, heads, previous }
}
