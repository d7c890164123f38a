import type { Range } from '../contract/records/anchors.ts'
import { endsBefore } from '../domain/line-part.ts'

/** Within so many characters lines are counted anew. */
const block = 4_096

/** Which lines a text has, and where. It is read once, whatever is asked of it and however often. */
export class LineNumbers {
  readonly #content: string
  #known: Int32Array | undefined

  constructor(content: string) {
    this.#content = content
  }

  /** How many lines there are. Behind the last one's end none begins. */
  get count(): number {
    const { length } = this.#content
    return length > 0 && endsBefore(this.#content, length) ? this.at(length) - 1 : this.at(length)
  }

  /** In which line a place is; the first is 1. */
  at(offset: number): number {
    const from = Math.floor(offset / block)
    let line = this.#lines[from]!
    for (let at = from * block + 1; at <= offset; at++) if (endsBefore(this.#content, at)) line++
    return line
  }

  /** Where these lines stand, with their ends, of those that there are. */
  range(first: number, last: number): Range {
    return {
      start: this.#startOf(first),
      end: last >= this.count ? this.#content.length : this.#startOf(last + 1),
    }
  }

  #startOf(line: number): number {
    const before = this.#lines.findLastIndex((one) => one < line)
    if (before < 0) return 0
    let at = before * block
    for (let now = this.#lines[before]!; now < line;) if (endsBefore(this.#content, ++at)) now++
    return at
  }

  /** In which line each block begins. */
  get #lines(): Int32Array {
    return (this.#known ??= linesOfBlocks(this.#content))
  }
}

function linesOfBlocks(content: string): Int32Array {
  const lines = new Int32Array(Math.floor(content.length / block) + 1)
  let line = 1
  lines[0] = line
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at)
    if (code === 10 || (code === 13 && content.charCodeAt(at + 1) !== 10)) line++
    if ((at + 1) % block === 0) lines[(at + 1) / block] = line
  }
  return lines
}
