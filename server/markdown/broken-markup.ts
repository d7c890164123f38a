import type { Tokens } from 'marked'
import { readDocument } from './document.ts'
import { readMarkup, type Table } from './markup.ts'
import { locate, type Positions } from './positions.ts'
import { defaultLimits, LimitReached } from './render-limits.ts'
import type { SourceRange } from './rendered.ts'
import { holds, lineEnd, overlaps, trimmed } from './source-range.ts'

/** What leaving out a stretch of the source would break. */
export type Broken =
  /** A table of which neither words of one cell, nor whole rows, nor all would go. */
  | 'table'
  /** A footnote of which a part would go together with words outside. */
  | 'footnote'
  /** A footnote that would stay, with nothing in it. */
  | 'empty footnote'
  /** Anything of which a mark would show as text. */
  | 'markup'

/** What leaving out exactly this range would break, if anything. */
export function brokenWithout(source: string, range: SourceRange): Broken | null {
  const markup = readMarkup(source, range)
  if (!markup) return null
  if (markup.tables.some((table) => breaksTable(source, range, table))) return 'table'
  for (const { whole, words } of markup.footnotes) {
    if (!overlaps(range, trimmed(source, whole)) || holds(range, trimmed(source, whole))) continue
    if (!holds(whole, range)) return 'footnote'
    if (words.every((word) => holds(range, word))) return 'empty footnote'
    if (range.start < words[0]!.start) return 'footnote'
  }
  return showsMarks(source, range) ? 'markup' : null
}

/** A `|` that isn’t written as a word’s, or the end of a row. */
const border = /(?<!\\)(?:\\\\)*[|\n]/

function breaksTable(source: string, range: SourceRange, { whole, rows }: Table): boolean {
  if (!overlaps(range, trimmed(source, whole)) || holds(range, trimmed(source, whole))) return false
  const { start, end } = range
  const body = lineEnd(source, lineEnd(source, whole.start))
  const isWholeRows =
    start >= body &&
    source[start - 1] === '\n' &&
    (source[end - 1] === '\n' || source.slice(end, lineEnd(source, end)).trim() === '')
  if (isWholeRows) return false
  if (!holds(whole, range) || border.test(source.slice(start, end))) return true
  // A row, or a head, without any words.
  return rows.some((cells) => cells.length > 0 && cells.every((cell) => holds(range, cell)))
}

/** Whether something shows that was markup before, or no longer shows although it is none of what goes. */
function showsMarks(source: string, { start, end }: SourceRange): boolean {
  const before = shownIn(source)
  const after = shownIn(source.slice(0, start) + source.slice(end))
  if (!before || !after) return false
  for (const at of after.all) if (!before.all.has(at < start ? at : at + end - start)) return true
  for (const at of before.text) {
    if (at >= start && at < end) continue
    if (!after.all.has(at < start ? at : at - (end - start))) return true
  }
  return false
}

/** What shows wherever it stands; and what does so in any case: a footnote only as long as the text refers to it. */
interface ShownCharacters {
  all: Set<number>
  text: Set<number>
}

/** Where the characters stand that are shown as they are, without spaces. */
function shownIn(source: string): ShownCharacters | null {
  const shown: ShownCharacters = { all: new Set(), text: new Set() }
  try {
    const { text, blocks, footnotes } = readDocument(source, defaultLimits.maxDepth)
    const notes = footnotes.map(({ block }) => block)
    for (const block of [...blocks, ...notes]) {
      const found: Positions = locate(block.tokens, text.slice(block.from, block.to))
      for (const [token, at] of found) {
        const type = (token as Tokens.Generic).type
        if (unwritten.has(type)) continue
        const isTag = type === 'html' ? insideTags(at.text) : null
        for (let i = 0; i < at.text.length; i++) {
          if (isTag?.[i] || !at.text[i]!.trim() || (type === 'escape' && i === 0)) continue
          shown.all.add(at.start(i))
          if (!notes.includes(block)) shown.text.add(at.start(i))
        }
      }
    }
  } catch (error) {
    if (error instanceof LimitReached || error instanceof RangeError) return null
    throw error
  }
  return shown
}

/** What isn’t shown as it is written. */
const unwritten = new Set(['br', 'image', 'footnoteReference', 'maths', 'mathsBlock'])

function insideTags(html: string): boolean[] {
  const inside: boolean[] = Array.from({ length: html.length }, () => false)
  for (const { index, 0: tag } of html.matchAll(/<!--[\s\S]*?(?:-->|$)|<[^>]*>/g))
    inside.fill(true, index, index + tag.length)
  return inside
}
