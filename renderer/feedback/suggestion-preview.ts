import { readDocument } from '../../server/markdown/document.ts'
import { escapeHtml } from '../../server/markdown/escape-html.ts'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { defaultLimits } from '../../server/markdown/render-limits.ts'
import type { SourceRange } from '../../server/markdown/rendered.ts'

const definition = /^ {0,3}\[[^\]\n]+\]:.*$/gm
const footnoteHead = /^ {0,3}\[\^([^\]\n]+)\]:[ \t]*/

/**
 * How the paragraphs around a range will read, as HTML with formulas as their sources, to be drawn where it is shown
 * (`drawFormulas`), with what is suggested on it. Of a footnote, which shows only
 * where a text refers to it, those are its own.
 */
export function suggestionPreview(
  source: string,
  range: SourceRange,
): (made: { range: SourceRange; words: string }) => string {
  const { text, blocks, footnotes } = readDocument(source, defaultLimits.maxDepth)
  const reach = withEmptyLines(source, range)
  const places = (list: readonly { from: number; to: number }[]) =>
    list
      .map(({ from, to }) => ({ start: text.start(from), end: text.start(to) }))
      // What ends where the range begins may go on with what stays behind it.
      .filter(({ start, end }) => start <= reach.end && end >= reach.start)
  const touched = places(blocks)
  const notes = places(footnotes.map(({ block }) => block))
  const isNote = touched.length === 0 && notes.length === 1
  const around = [...touched, ...notes]
  // Of a link's address, which is no block, the line.
  const lines = wholeLines(source, range)
  const start = Math.min(lines.start, ...around.map((block) => block.start))
  const end = Math.max(lines.end, ...around.map((block) => block.end))
  return ({ range: cut, words }) => {
    const changed = source.slice(start, cut.start) + words + source.slice(cut.end, Math.max(cut.end, end))
    const rest = [source.slice(0, Math.min(start, cut.start)), source.slice(Math.max(cut.end, end))].join(
      '\n',
    )
    const definitions = [...rest.matchAll(definition)].map(([line]) => line).join('\n\n')
    const shown = isNote ? shownNote(changed) : changed
    return renderMarkdown(`${shown}\n\n${definitions}\n`, { maths: sourceOfFormula }).html
  }
}

function sourceOfFormula(tex: string, display: boolean): string {
  const sign = display ? '$$' : '$'
  return `<code class="maths-source">${escapeHtml(sign + tex + sign)}</code>`
}

/** A range with the empty lines that it cuts into: without them, what stands on both sides may become one. */
function withEmptyLines(source: string, { start, end }: SourceRange): SourceRange {
  const isLineEnd = (at: number) => isLineEndAt(source, at)
  let [from, to] = [start, end]
  if (isLineEnd(start)) while (from > 0 && isLineEnd(from - 1)) from--
  if (end > start && isLineEnd(end - 1)) while (isLineEnd(to)) to++
  return { start: from, end: to }
}

function wholeLines(source: string, { start, end }: SourceRange): SourceRange {
  let [from, to] = [start, end]
  while (from > 0 && !isLineEndAt(source, from - 1)) from--
  while (to < source.length && !isLineEndAt(source, to)) to++
  return { start: from, end: to }
}

const isLineEndAt = (source: string, at: number) => source[at] === '\n' || source[at] === '\r'

/** A footnote's own paragraphs, as text; with a reference to it, where some of them are no longer its own. */
function shownNote(changed: string): string {
  const [head, label] = footnoteHead.exec(changed) ?? []
  if (head === undefined) return changed
  const { blocks } = readDocument(changed, defaultLimits.maxDepth)
  if (blocks.length > 0) return `[^${label}]\n\n${changed}`
  return changed.slice(head.length).replace(/^(?: {1,4}|\t)/gm, '')
}
