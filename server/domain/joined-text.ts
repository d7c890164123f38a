import type { Range } from '../contract/records/anchors.ts'
import { joinTouching, type Hunk } from './hunk.ts'
import type { SetApart } from './merged.ts'

/** How a text that grows is made of another. */
class Made {
  readonly changes: Hunk[] = []
  #at = 0
  #length = 0

  /** Adds words for so many characters of the other text; null for words that are the same there. */
  add(words: string, of: number | null): void {
    const replaced = of ?? words.length
    const [fromA, fromB] = [this.#at, this.#length]
    this.#at += replaced
    this.#length += words.length
    if (of !== null && (replaced > 0 || words !== ''))
      this.changes.push({ fromA, toA: this.#at, fromB, toB: this.#length })
  }
}

/** A text that grows of what two sides have made of another one. */
export class JoinedText {
  text = ''
  /** What stands between words of both. */
  readonly gaps: SetApart[] = []
  /** What both have put in alike. */
  readonly alike: Range[] = []
  readonly #ofMine = new Made()
  readonly #ofTheirs = new Made()

  /** What makes it of my text. */
  get changes(): Hunk[] {
    return joinTouching(this.#ofMine.changes)
  }
  /** What makes it of theirs. */
  get changesOfTheirs(): Hunk[] {
    return joinTouching(this.#ofTheirs.changes)
  }

  /** Adds words, and says for how many characters of either side; null for words that are the same there. */
  add(words: string, ofMine: number | null, ofTheirs: number | null): void {
    this.text += words
    this.#ofMine.add(words, ofMine)
    this.#ofTheirs.add(words, ofTheirs)
  }

  addSame(words: string): void {
    this.add(words, null, null)
  }

  /** Adds words that both have put in. */
  addAlike(words: string): void {
    if (words !== '') this.alike.push({ start: this.text.length, end: this.text.length + words.length })
    this.addSame(words)
  }

  setApart(gap: string): void {
    this.#addGap(gap, false)
  }

  /** The same where it is of the words that come behind it. */
  setApartBefore(gap: string): void {
    this.#addGap(gap, true)
  }

  #addGap(gap: string, isBefore: boolean): void {
    if (gap === '') return
    const start = this.text.length
    const last = this.gaps.at(-1)
    if (last?.end === start && last.isBefore === isBefore) last.end += gap.length
    else this.gaps.push({ start, end: start + gap.length, isBefore })
    this.add(gap, 0, 0)
  }
}
