import { groupBlocks, type SourceBlock } from './blocks.ts'
import { numberFootnotes, type Footnote } from './footnotes.ts'
import { frontMatterLength } from './front-matter.ts'
import { lex } from './lexer.ts'
import { SourceText } from './source-text.ts'

/** A markdown document, read but not yet rendered. */
export interface MarkdownDocument {
  /** The text the blocks' offsets count in: the source with plain line ends, without front matter. */
  text: SourceText
  /** With the lines around it; empty where there is none. */
  frontMatter: string
  blocks: SourceBlock[]
  footnotes: (Footnote & { block: SourceBlock })[]
}

/** Reads a document. Throws `LimitReached` when it nests deeper than `maxDepth`. */
export function readDocument(source: string, maxDepth: number): MarkdownDocument {
  const whole = SourceText.fromDocument(source)
  // Which says how the text is encoded, and is none of its words.
  const mark = whole.text.startsWith('\uFEFF') ? 1 : 0
  const length = mark + frontMatterLength(whole.text.slice(mark))
  const text = whole.slice(length)
  const { tokens, offsets } = lex(text.text, maxDepth)
  const places = new Map(tokens.map((token, i) => [token, i]))
  const footnotes = numberFootnotes(tokens).map((footnote) => {
    const i = places.get(footnote.token)!
    const block = { from: offsets[i]!, to: offsets[i + 1] ?? text.text.length, tokens: [footnote.token] }
    return { ...footnote, block }
  })
  return {
    text,
    frontMatter: whole.text.slice(mark, length),
    blocks: groupBlocks(tokens, offsets, text.text.length),
    footnotes,
  }
}
