import type { Range } from '../../contract/records/anchors.ts'
import { Tokens, WORD, type Vocabulary } from '../tokens.ts'
import type { Budget } from '../budget.ts'

const COST = { word: 60 }
const BLANK_LINE = /\n[^\S\n]*\n/
/** More than one of them at a place. */
export const SEVERAL = -1

/** The words of some stretches of a text, without the white space between them. */
export class PassageWords {
  readonly text: string
  readonly regions: readonly Range[]
  readonly ids: number[] = []
  readonly starts: number[] = []
  readonly ends: number[] = []
  /** Which of the stretches each is in. */
  readonly region: number[] = []
  /** Whether the budget was enough to read them all. */
  readonly whole: boolean

  constructor(text: string, regions: readonly Range[], vocabulary: Vocabulary, budget: Budget) {
    this.text = text
    this.regions = regions
    const tokens = new Tokens()
    this.whole = regions.every(({ start, end }, region) => {
      if (!tokens.read(text, start, end, WORD, vocabulary, budget)) return false
      budget.left -= tokens.count * COST.word
      for (let i = 0; i < tokens.count; i++) {
        if (!vocabulary.isSolid(tokens.ids[i]!)) continue
        this.ids.push(tokens.ids[i]!)
        this.starts.push(tokens.starts[i]!)
        this.ends.push(tokens.starts[i + 1]!)
        this.region.push(region)
      }
      return budget.left >= 0
    })
  }

  get count(): number {
    return this.ids.length
  }

  /** A name for the words from one on, or null where its stretch ends before there are enough. */
  nameAt(i: number, few: number): number | null {
    if (i + few > this.count || this.region[i] !== this.region[i + few - 1]) return null
    let name = 0
    for (let k = i; k < i + few; k++) name = Math.imul(name ^ this.ids[k]!, 0x9e3779b1) ^ (name >>> 15)
    return name
  }

  /** By name: where those words are, or `SEVERAL`. */
  unique(few: number): Map<number, number> {
    const places = new Map<number, number>()
    for (let i = 0; i < this.count; i++) {
      const name = this.nameAt(i, few)
      if (name !== null) places.set(name, places.has(name) ? SEVERAL : i)
    }
    return places
  }

  /**
   * The same of words that are in one paragraph and have no partner.
   * @param paragraphs by word: which paragraph it is in
   * @param partners by word: its partner, or -1
   */
  uniqueWithin(paragraphs: Int32Array, few: number, partners: Int32Array): Map<number, number> {
    const places = new Map<number, number>()
    let free = 0
    for (let i = 0; i < this.count; i++) {
      free = partners[i] !== -1 ? 0 : paragraphs[i] === paragraphs[i - 1] ? free + 1 : 1
      if (free < few) continue
      const name = this.nameAt(i - few + 1, few)!
      places.set(name, places.has(name) ? SEVERAL : i - few + 1)
    }
    return places
  }

  /** By word: the number of its paragraph. */
  paragraphs(): Int32Array {
    const numbers = new Int32Array(this.count)
    for (let i = 1; i < this.count; i++) {
      const isNext =
        !this.joins(i, i - 1) || BLANK_LINE.test(this.text.slice(this.ends[i - 1], this.starts[i]))
      numbers[i] = numbers[i - 1]! + (isNext ? 1 : 0)
    }
    return numbers
  }

  joins = (i: number, j: number) => this.region[i] === this.region[j]

  /** The first word that ends after a place. */
  firstEndingAfter = (at: number) => firstAbove(this.ends, at)

  /** The first word that begins at a place or after it. */
  firstStartingAt = (at: number) => firstAbove(this.starts, at - 1)
}

function firstAbove(list: readonly number[], value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}
