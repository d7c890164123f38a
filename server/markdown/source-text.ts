const white = /\s/
/** A line of which nothing is left without the sign of a quote, and one that begins an item and says nothing else. */
const blank = /^\s*(?:>\s*)?$/
const bare = /^\s*(?:(?:>|[-+*]|\d{1,9}[.)])\s*)?$/

/**
 * A string the lexer worked on, and where each of its characters stands in the document.
 *
 * The lexer has no positions, and rewrites text before it looks inside: it strips `> `, dedents list items,
 * expands tabs, unescapes `\|` and `\]`. Views carry the offsets down through each of those steps.
 */
export class SourceText {
  readonly text: string
  readonly #base: number
  readonly #starts: Int32Array | null
  readonly #ends: Int32Array | null

  private constructor(text: string, base: number, starts: Int32Array | null, ends: Int32Array | null) {
    this.text = text
    this.#base = base
    this.#starts = starts
    this.#ends = ends
  }

  /** The document as the lexer sees it: line ends are `\n`, and what may not be in HTML is U+FFFD. */
  static fromDocument(source: string): SourceText {
    // U+FDD0 and U+FDD1 are noncharacters; taking them out of the text frees them as marks (see trace.ts).
    const clean = source.toWellFormed().replace(/[\0\uFDD0\uFDD1]/g, '\uFFFD')
    if (!clean.includes('\r')) return new SourceText(clean, 0, null, null)
    const text = clean.replace(/\r\n?/g, '\n')
    const starts = new Int32Array(text.length)
    const ends = new Int32Array(text.length)
    for (let i = 0, at = 0; i < text.length; i++) {
      starts[i] = at
      at += clean[at] === '\r' && clean[at + 1] === '\n' ? 2 : 1
      ends[i] = at
    }
    return new SourceText(text, 0, starts, ends)
  }

  /** Where the character at `i` starts in the document; where the text ends, when `i` is its length. */
  start(i: number): number {
    if (!this.#starts) return this.#base + i
    return i < this.#starts.length ? this.#starts[i]! : this.end(this.#starts.length - 1)
  }

  /** Where the character at `i` ends in the document. */
  end(i: number): number {
    if (!this.#ends) return this.#base + i + 1
    return i >= 0 ? this.#ends[i]! : this.#base
  }

  slice(from: number, to = this.text.length): SourceText {
    const text = this.text.slice(from, to)
    if (!this.#starts || !this.#ends) return new SourceText(text, this.#base + from, null, null)
    return new SourceText(
      text,
      this.start(from),
      this.#starts.subarray(from, to),
      this.#ends.subarray(from, to),
    )
  }

  /**
   * `inner` as this text begins with it, white space aside: verbatim, or else with characters left out. What stands
   * further on may be another place that says the same: of `\\]` the bracket is only a part.
   */
  find(inner: string): SourceText {
    const lead = this.text.length - this.text.trimStart().length
    const at = [0, lead].find((at) => this.text.startsWith(inner, at))
    return at === undefined ? this.withDeletions(inner) : this.slice(at, at + inner.length)
  }

  /** `inner` is this text with some characters removed; a removed backslash belongs to what follows it. */
  withDeletions(inner: string): SourceText {
    const starts = new Int32Array(inner.length)
    const ends = new Int32Array(inner.length)
    let j = 0
    for (let i = 0; i < inner.length; i++) {
      const from = j
      while (j < this.text.length && !same(this.text[j]!, inner[i]!)) j++
      if (j >= this.text.length) {
        const rest = this.start(this.text.length)
        starts.fill(rest, i)
        ends.fill(rest, i)
        break
      }
      starts[i] = this.start(j > from && this.text[j - 1] === '\\' ? j - 1 : j)
      ends[i] = this.end(j)
      j++
    }
    return new SourceText(inner, this.start(0), starts, ends)
  }

  /** Line k of `inner` is line k + `skip` of this text without its markers and indentation. */
  withLines(inner: string, skip = 0): SourceText {
    const starts = new Int32Array(inner.length)
    const ends = new Int32Array(inner.length)
    let lineStart = 0
    const nextLine = (): [number, number] => {
      const stop = this.text.indexOf('\n', lineStart)
      const line: [number, number] = [
        Math.min(lineStart, this.text.length),
        stop < 0 ? this.text.length : stop,
      ]
      lineStart = line[1] + 1
      return line
    }
    // Now and then the lexer puts in a blank line, or drops some: content decides which line is meant.
    const lineWith = (content: string): [number, number] => {
      const before = lineStart
      let first: [number, number] | null = null
      for (let tries = 0; tries < 4 && lineStart <= this.text.length;) {
        const line = nextLine()
        const outer = this.text.slice(...line).trimEnd()
        if (content ? outer.endsWith(content) : blank.test(outer)) return line
        if (!content) break
        if (bare.test(outer)) continue
        first ??= line
        tries++
      }
      lineStart = first ? first[1] + 1 : before
      return first ?? [lineStart, Math.min(lineStart, this.text.length)]
    }
    for (let k = 0; k < skip; k++) nextLine()
    let i = 0
    for (const line of inner.split('\n')) {
      const content = line.trim()
      const [from, to] = lineWith(content)
      const outer = this.text.slice(from, to)
      const tail = outer.trimEnd()
      const at = tail.endsWith(content)
        ? tail.length - content.length
        : Math.max(0, outer.lastIndexOf(content))
      const lead = line.length - line.trimStart().length
      for (let q = 0; q <= line.length && i + q < inner.length; q++) {
        const w = from + Math.min(Math.max(at + q - lead, 0), to - from)
        starts[i + q] = this.start(w)
        ends[i + q] = w < this.text.length ? this.end(w) : this.start(w)
      }
      i += line.length + 1
    }
    return new SourceText(inner, this.start(0), starts, ends)
  }
}

function same(a: string, b: string): boolean {
  return a === b || (white.test(a) && white.test(b))
}
