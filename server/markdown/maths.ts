import type { TokenizerExtension, Tokens } from 'marked'

/** `$…$`, or `$$…$$` for maths on lines of its own. */
export interface MathsToken extends Tokens.Generic {
  type: 'maths' | 'mathsBlock'
  raw: string
  tex: string
  display: boolean
}

// As GitHub has it: nothing but the maths touches its dollars, so that prices stay prices.
const inlineMaths = /^\$(?![\s$])((?:\\[^\n]|[^\\$\n])*?(?:\\[^\n]|[^\\$\s]))\$(?![\w$])/
const literalMaths = /^\$`([^`\n]+)`\$/
const displayMaths = /^\$\$(?!\$)((?:\\[\s\S]|[^\\$])+?)\$\$(?!\$)/
export const mathsBlock = /^ {0,3}\$\$(?!\$)((?:\\[\s\S]|[^\\$])+?)\$\$[ \t]*(?:\n|$)/
/** Formulas within a line, for who finds them without reading the whole text. */
export const mathsWithin = new RegExp(
  String.raw`(?<![\w$\\])(?:${[displayMaths, literalMaths, inlineMaths].map(({ source }) => source.slice(1)).join('|')})`,
  'g',
)
const blankLine = /\n[ \t]*\n/

export const mathsExtensions: TokenizerExtension[] = [
  {
    name: 'mathsBlock',
    level: 'block',
    tokenizer(src) {
      if (!/^ {0,3}\$\$/.test(src)) return undefined
      const match = mathsBlock.exec(src)
      return match ? { type: 'mathsBlock', raw: match[0], tex: match[1]!.trim(), display: true } : undefined
    },
  },
  {
    name: 'maths',
    level: 'inline',
    tokenizer(src, tokens) {
      if (src[0] !== '$' || /[\w$\\]$/.test(tokens.at(-1)?.raw ?? '')) return undefined
      const found = findMaths(src)
      return found ? { type: 'maths', ...found } : undefined
    },
  },
]

/** The formula that a source begins with. */
export function findMaths(src: string): { raw: string; tex: string; display: boolean } | null {
  if (src[1] === '$') {
    const match = displayMaths.exec(src)
    return match && !blankLine.test(match[1]!)
      ? { raw: match[0], tex: match[1]!.trim(), display: true }
      : null
  }
  const match = literalMaths.exec(src) ?? inlineMaths.exec(src)
  return match ? { raw: match[0], tex: match[1]!, display: false } : null
}

/** The text with its maths blanked out, so that a `*` or `_` inside can't open or close emphasis. */
export function maskMaths(text: string): string {
  if (!text.includes('$')) return text
  return text.replace(
    /(?<![\w$\\])\$(?![\s$])(?:\\[^\n]|[^\\$\n])*?(?:\\[^\n]|[^\\$\s])\$(?![\w$])/g,
    (maths) => `[${'a'.repeat(maths.length - 2)}]`,
  )
}
