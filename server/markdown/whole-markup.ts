import type { Token, Tokens } from 'marked'
import { readDocument } from './document.ts'
import { locate, type Positions } from './positions.ts'
import { defaultLimits, LimitReached, type SourceRange } from './rendered.ts'
import type { SourceText } from './source-text.ts'

/** Markup around words: all of it, and what of it shows. */
interface Span {
  whole: SourceRange
  shown: SourceRange
}

/** A paragraph, heading, code or table: something that has words of its own. */
interface Leaf extends Span {
  /** What it stands in, the innermost last. */
  within: readonly Token[]
}

interface Markup {
  spans: Span[]
  leaves: Leaf[]
  tables: SourceRange[]
}

/**
 * What a change of these words has to take in so that no half of the markup around them stays behind: an end that lies
 * within markup which begins or ends inside the range takes in all of that. Words that are left out, `deletes`, take
 * all markup with them that would stand around nothing: emphasis, the marker of a list item, the `>` of a quote.
 */
export function wholeMarkup(source: string, range: SourceRange, deletes = false): SourceRange {
  const markup = readMarkup(source, range)
  if (!markup) return range
  const widened = overSpans(source, range, markup.spans, deletes)
  return deletes ? overBlocks(source, widened, markup.leaves) : widened
}

/** Whether all of a range stands in one table, where a `|` ends a cell and a line end the row. */
export function isInTable(source: string, range: SourceRange): boolean {
  return readMarkup(source, range)?.tables.some((table) => holds(table, range)) ?? false
}

function readMarkup(source: string, range: SourceRange): Markup | null {
  const markup: Markup = { spans: [], leaves: [], tables: [] }
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
  return markup
}

interface Reading {
  found: Positions
  wholes: Positions
  markup: Markup
}

function readBlocks(tokens: Token[], within: readonly Token[], reading: Reading): void {
  for (const token of tokens) {
    if (token.type === 'list') {
      for (const item of (token as Tokens.List).items)
        readBlocks(item.tokens, [...within, token, item], reading)
    } else if (token.type === 'blockquote' || token.type === 'footnote') {
      readBlocks((token as Tokens.Blockquote).tokens, [...within, token], reading)
    } else {
      const whole = rangeOf(reading.wholes.get(token))
      if (whole && token.type === 'table') reading.markup.tables.push(whole)
      const shown = readInline(inlineOf(token), reading) ?? rangeOf(reading.found.get(token))
      if (whole && shown) reading.markup.leaves.push({ whole, shown, within })
    }
  }
}

/** Reads the markup among inline tokens; answers what of them shows. */
function readInline(tokens: Token[], reading: Reading): SourceRange | null {
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
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [...header, ...rows.flat()].flatMap((cell) => cell.tokens)
  }
  if (token.type === 'code' || token.type === 'html' || token.type === 'image') return []
  return 'tokens' in token ? (token.tokens ?? []) : []
}

function overSpans(
  source: string,
  range: SourceRange,
  spans: readonly Span[],
  deletes: boolean,
): SourceRange {
  let now = range
  for (let before: SourceRange | null = null; before !== now;) {
    before = now
    for (const { whole, shown } of spans) {
      if (now.start >= whole.end || now.end <= whole.start || holds(now, whole)) continue
      const inside = holds(shown, now)
      if (!inside || (deletes && holds(now, shown))) now = union(now, whole)
      else if (deletes) now = overSpace(source, now, shown)
    }
  }
  return now
}

/** Emphasis that would begin or end with a space is none. */
function overSpace(source: string, range: SourceRange, shown: SourceRange): SourceRange {
  let { start, end } = range
  if (range.start === shown.start) while (end < shown.end && /\s/.test(source[end]!)) end++
  if (range.end === shown.end) while (start > shown.start && /\s/.test(source[start - 1]!)) start--
  return start === range.start && end === range.end ? range : { start, end }
}

function overBlocks(source: string, range: SourceRange, leaves: readonly Leaf[]): SourceRange {
  const touched = leaves.filter(({ shown }) => shown.start < range.end && shown.end > range.start)
  const [first, last] = [touched[0], touched.at(-1)]
  if (!first || !last || !holds(range, first.shown) || !holds(range, last.shown)) return range
  if (first.within.some(({ type }) => type === 'footnote')) return range

  const index = leaves.indexOf(first)
  const next = leaves[leaves.indexOf(last) + 1]
  const isFirstOf = (container: Token) =>
    !leaves.slice(0, index).some(({ within }) => within.includes(container))
  // An item of which other words stay keeps its marker for them.
  const kept = first.within.find(
    (container) => container.type === 'list_item' && isFirstOf(container) && next?.within.includes(container),
  )
  if (kept && next?.within.at(-1) === kept && first.within.at(-1) === kept)
    return { start: Math.min(range.start, first.whole.start), end: next.whole.start }

  let start = source.lastIndexOf('\n', Math.min(range.start, first.whole.start) - 1) + 1
  let end = lineEnd(source, Math.max(range.end, lastShown(source, last.whole)))
  // Where it stood apart on both sides, what it stood between stays apart once.
  const above = source.lastIndexOf('\n', start - 2) + 1
  const below = lineEnd(source, end)
  const isApart = start === 0 || blank.test(source.slice(above, start))
  if (isApart && end < source.length && blank.test(source.slice(end, below))) {
    // A sign of a quote is left to nobody.
    if (source.slice(above, start).includes('>') && !source.slice(end, below).includes('>')) start = above
    else
      while (end < source.length && blank.test(source.slice(end, lineEnd(source, end))))
        end = lineEnd(source, end)
  }
  if (end === source.length) while (start > 1 && /\n\r?\n$/.test(source.slice(0, start))) start--
  return { start, end }
}

/** A line with nothing on it but the signs of quotes. */
const blank = /^[\s>]*$/

/** Where the line ends that holds the character before `at`. */
function lineEnd(source: string, at: number): number {
  if (at > 0 && source[at - 1] === '\n') {
    const stop = source.indexOf('\n', at)
    return stop < 0 ? source.length : stop + 1
  }
  const stop = source.indexOf('\n', at)
  return stop < 0 ? source.length : stop + 1
}

/** The end of a block without the lines below it. */
const lastShown = (source: string, { start, end }: SourceRange) =>
  start + source.slice(start, end).trimEnd().length

const holds = (outer: SourceRange, inner: SourceRange) => outer.start <= inner.start && outer.end >= inner.end
const union = (a: SourceRange, b: SourceRange) => ({
  start: Math.min(a.start, b.start),
  end: Math.max(a.end, b.end),
})
const rangeOf = (text: SourceText | undefined): SourceRange | null =>
  text?.text ? { start: text.start(0), end: text.end(text.text.length - 1) } : null
