/**
 * Places in a text as it is stored, and in the same text with `\n` line endings, which is what an editor holds. They
 * differ by the carriage returns before them.
 */
export class Offsets {
  /** Where in the editor’s text the stored one has two characters for the line’s end. */
  readonly #pairs: Int32Array

  constructor(stored: string) {
    const pairs: number[] = []
    for (let at = stored.indexOf('\r\n'); at >= 0; at = stored.indexOf('\r\n', at + 2))
      pairs.push(at - pairs.length)
    this.#pairs = Int32Array.from(pairs)
  }

  toStored(at: number): number {
    return at + this.#count((pair) => pair < at)
  }

  toEditor(at: number): number {
    // The i-th pair stands at pair + i in the stored text; a place between its two halves counts as before it.
    return at - this.#count((pair, i) => pair + i < at)
  }

  #count(before: (pair: number, index: number) => boolean): number {
    let low = 0
    let high = this.#pairs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (before(this.#pairs[middle]!, middle)) low = middle + 1
      else high = middle
    }
    return low
  }
}
