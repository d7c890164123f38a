import type { Token, Tokens } from 'marked'
import { readDocument } from './document.ts'
import { locate, type Positions } from './positions.ts'
import { defaultLimits, LimitReached } from './render-limits.ts'
import type { SourceRange } from './rendered.ts'
import { holds, union } from './source-range.ts'
import type { SourceText } from './source-text.ts'

/** Markup around words: all of it, and what of it shows. */
export interface MarkedSpan {
  whole: SourceRange
  shown: SourceRange
}

/** A paragraph, heading, code or table: something that has words of its own. */
export interface Leaf extends MarkedSpan {
  /** What it stands in, the innermost last. */
  within: readonly Token[]
}

export interface Table {
  whole: SourceRange
  /** Where each row has words, cell by cell, the head first. An empty cell has none. */
  rows: SourceRange[][]
}

interface FootnoteRange {
  whole: SourceRange
  /** Where it has words. */
  words: SourceRange[]
}

export interface Markup {
  spans: MarkedSpan[]
  leaves: Leaf[]
  tables: Table[]
  footnotes: FootnoteRange[]
}

/** The markup of the blocks that a range touches; null where it nests too deep to be read. */
export function readMarkup(source: string, range: SourceRange): Markup | null {
  const markup: Markup = { spans: [], leaves: [], tables: [], footnotes: [] }
  try {
    const { text, blocks, footnotes } = readDocument(source, defaultLimits.maxDepth)
    for (const { from, to, tokens } of [...blocks, ...footnotes.map(({ block }) => block)]) {
      if (text.start(to) < range.start || text.start(from) > range.end) continue
      const wholes: Positions = new Map()
      const found = locate(tokens, text.slice(from, to), new Map(), wholes)
      readBlocks(tokens, [], { found, wholes, markup })
    }
  } catch (error) {
    if (error instanceof LimitReached || error instanceof RangeError) return null
    throw error
  }
  markup.leaves.sort((a, b) => a.shown.start - b.shown.start)
  for (const footnote of markup.footnotes)
    footnote.words = markup.leaves.map(({ shown }) => shown).filter((shown) => holds(footnote.whole, shown))
  return markup
}

interface MarkupReading {
  found: Positions
  wholes: Positions
  markup: Markup
}

function readBlocks(tokens: Token[], within: readonly Token[], reading: MarkupReading): void {
  for (const token of tokens) {
    if (token.type === 'list') {
      for (const item of (token as Tokens.List).items)
        readBlocks(item.tokens, [...within, token, item], reading)
    } else if (token.type === 'blockquote' || token.type === 'footnote') {
      const whole = rangeOf(reading.wholes.get(token))
      if (whole && token.type === 'footnote') reading.markup.footnotes.push({ whole, words: [] })
      readBlocks((token as Tokens.Blockquote).tokens, [...within, token], reading)
    } else {
      const whole = rangeOf(reading.wholes.get(token))
      const rows = token.type === 'table' ? readRows(token as Tokens.Table, reading) : []
      if (whole && token.type === 'table') reading.markup.tables.push({ whole, rows })
      const shown =
        rows.flat().reduce<SourceRange | null>((all, cell) => (all ? union(all, cell) : cell), null) ??
        readInline(inlineOf(token), reading) ??
        rangeOf(reading.found.get(token))
      if (whole && shown) reading.markup.leaves.push({ whole, shown, within })
    }
  }
}

function readRows({ header, rows }: Tokens.Table, reading: MarkupReading): SourceRange[][] {
  return [header, ...rows].map((cells) =>
    cells.map((cell) => readInline(cell.tokens, reading)).filter((words) => words !== null),
  )
}

/** Reads the markup among inline tokens; answers what of them shows. */
function readInline(tokens: Token[], reading: MarkupReading): SourceRange | null {
  let shown: SourceRange | null = null
  for (const token of tokens) {
    const inner = readInline(inlineOf(token), reading)
    const own = rangeOf(reading.found.get(token))
    const whole = rangeOf(reading.wholes.get(token))
    const here = inner ?? own
    if (!here) continue
    if (whole && (whole.start < here.start || whole.end > here.end))
      reading.markup.spans.push({ whole, shown: here })
    shown = shown ? union(shown, here) : here
  }
  return shown
}

function inlineOf(token: Token): Token[] {
  if (token.type === 'table' || token.type === 'code' || token.type === 'html' || token.type === 'image')
    return []
  return 'tokens' in token ? (token.tokens ?? []) : []
}

const rangeOf = (text: SourceText | undefined): SourceRange | null =>
  text?.text ? { start: text.start(0), end: text.end(text.text.length - 1) } : null
