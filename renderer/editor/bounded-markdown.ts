import {
  Table,
  type BlockParser,
  type InlineParser,
  type MarkdownConfig,
  type MarkdownParser,
} from '@lezer/markdown'
import { boundedInline } from './bounded-inline.ts'
import { bounds } from './markdown-bounds.ts'

type Composite = NonNullable<BlockParser['parse']>
type Leaf = NonNullable<BlockParser['leaf']>
/** What the parser has besides what it declares. */
interface Parsers {
  blockNames: string[]
  blockParsers: Composite[]
  leafBlockParsers: Leaf[]
  inlineNames: string[]
  inlineParsers: InlineParser['parse'][]
}

/** A definition of a link that goes on and on is none. */
const boundedDefinition =
  (leaf: Leaf): Leaf =>
  (cx, block) => {
    const inner = leaf(cx, block)
    let [lines, read] = [0, 0]
    const isLong = () => lines > bounds.definition && read > bounds.steps
    return (
      inner && {
        nextLine(...of) {
          lines++
          read += block.content.length
          return !isLong() && inner.nextLine(...of)
        },
        finish: (...of) => !isLong() && inner.finish(...of),
      }
    )
  }

/** Of a block that goes on. */
interface Long {
  content: string
  marks: unknown[]
  parsers: { rows?: unknown }[]
}
type BlockContext = Parameters<Leaf>[0]
const shortParagraphs: BlockParser = {
  name: 'ShortParagraphs',
  before: 'LinkReference',
  leaf: (_, block) => ({
    nextLine(cx) {
      const { content, marks, parsers } = block as unknown as Long
      if (content.length < bounds.paragraph && marks.length < bounds.quotedLines) return false
      if (parsers.some(({ rows }) => rows)) return false
      ;(cx as BlockContext & { finishLeaf: (leaf: unknown) => void }).finishLeaf(block)
      return true
    },
    finish: () => false,
  }),
}

/** What a parser reads within bounds, by itself; what isn't beyond them it reads as it does without. */
export function boundsOf(parser: MarkdownParser): MarkdownConfig {
  const { blockNames, blockParsers, leafBlockParsers, inlineNames, inlineParsers } =
    parser as unknown as Parsers
  const composite = (name: string): BlockParser => {
    const parse = blockParsers[blockNames.indexOf(name)]!
    return { name, parse: (cx, line) => cx.depth < bounds.blocks && parse(cx, line) }
  }
  return {
    parseBlock: [
      ...['Blockquote', 'BulletList', 'OrderedList'].map(composite),
      {
        name: 'LinkReference',
        leaf: boundedDefinition(leafBlockParsers[blockNames.indexOf('LinkReference')]!),
      },
      shortParagraphs,
    ],
    parseInline: boundedInline((name) => inlineParsers[inlineNames.indexOf(name)]!),
  }
}

/** GitHub’s tables; a line of spaces that goes on and on doesn't begin one. */
export const boundedTable: MarkdownConfig = {
  ...Table,
  parseBlock: Table.parseBlock!.map((block) => ({
    ...block,
    endLeaf: (cx, line, leaf) =>
      line.text.includes('|') && !/^[>\s]{1000}/.test(cx.peekLine()) && block.endLeaf!(cx, line, leaf),
  })),
}
