import { Lexer, Marked, type Token } from 'marked'
import { footnoteExtensions } from './footnotes.ts'
import { maskMaths, mathsExtensions } from './maths.ts'
import { LimitReached } from './render-limits.ts'

export interface LexedDocument {
  tokens: Token[]
  /** Where each of `tokens` starts in the text. */
  offsets: number[]
}

/** The tokens of a text whose line ends are `\n`. Throws `LimitReached` when it nests too deep. */
export function lex(text: string, maxDepth: number): LexedDocument {
  const offsets: number[] = []
  const marked = new Marked({
    gfm: true,
    extensions: [
      ...footnoteExtensions(),
      ...mathsExtensions,
      {
        // Takes nothing: the lexer asks extensions first, the last one before the others, with all that
        // is left of the text, which is the only place where it tells how far it has come.
        name: 'offset',
        level: 'block',
        tokenizer(src, tokens) {
          if (tokens === this.lexer.tokens) offsets[tokens.length] = text.length - src.length
          return undefined
        },
      },
    ],
    tokenizer: {
      // Plain text would run over a dollar; maths has to get a look at it.
      inlineText(src) {
        const dollar = src.indexOf('$', 1)
        if (dollar < 0) return false
        const stop = this.rules.inline.text.exec(src)?.[0].length ?? 0
        if (dollar >= stop) return false
        const raw = src.slice(0, dollar)
        return { type: 'text', raw, text: raw, escaped: false }
      },
      // What stands above a quote isn't what a list in it comes after. Else the lexer may find no list where it has
      // found one before, and break off.
      blockquote(src) {
        if (/^ {0,3}>/.test(src)) delete this.lexer.state.lastToken
        return false
      },
    },
    hooks: { emStrongMask: maskMaths },
  })
  const lexer = new BoundedLexer(marked.defaults)
  lexer.maxDepth = maxDepth
  const tokens = lexer.lex(text)
  return { tokens, offsets: offsets.slice(0, tokens.length) }
}

/** Refuses what nests so deep that recursion would run out of stack, here or in a browser. */
class BoundedLexer extends Lexer {
  maxDepth = Infinity
  #depth = 0

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): never {
    return this.#inside(() => super.blockTokens(src, tokens, lastParagraphClipped)) as never
  }

  override inlineTokens(src: string, tokens?: Token[]): Token[] {
    return this.#inside(() => super.inlineTokens(src, tokens))
  }

  #inside<T>(run: () => T): T {
    if (++this.#depth > this.maxDepth) throw new LimitReached('depth')
    const result = run()
    this.#depth--
    return result
  }
}
