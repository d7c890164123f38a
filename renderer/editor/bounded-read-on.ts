import { Parser, TreeFragment, type Input } from '@lezer/common'

/** So much is read at one time on the way back to where a line begins. */
const piece = 4_096

function lineStart(input: Input, at: number): number {
  for (let end = at; end > 0;) {
    const from = Math.max(0, end - piece)
    const found = input.read(from, end).lastIndexOf('\n')
    if (found >= 0) return from + found + 1
    end = from
  }
  return 0
}

/**
 * A parser that goes on from what it has read before, however long the line is within which that ends. It reads such a
 * line anew, for which it would look where that begins one character after the other, each time.
 */
export class ReadsOn extends Parser {
  readonly #parser: Parser

  constructor(parser: Parser) {
    super()
    this.#parser = parser
  }

  override createParse(...[input, fragments, ranges]: Parameters<Parser['createParse']>) {
    const whole = fragments.map(({ from, to, tree, offset, openStart, openEnd }) => {
      const end = Math.max(from, lineStart(input, to))
      return new TreeFragment(from, end, tree, offset, openStart, openEnd)
    })
    return this.#parser.startParse(input, whole, ranges)
  }
}
