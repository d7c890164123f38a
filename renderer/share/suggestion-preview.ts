import { readDocument } from '../../server/markdown/document.ts'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { defaultLimits, type SourceRange } from '../../server/markdown/rendered.ts'
import type { MadeSuggestion } from './made-suggestion.ts'

const definition = /^ {0,3}\[[^\]\n]+\]:.*$/gm
const footnoteHead = /^ {0,3}\[\^[^\]\n]+\]:[ \t]*/

/**
 * How the paragraphs around a range will read, as HTML, with what is suggested on it. Of a footnote, which shows only
 * where a text refers to it, those are its own.
 */
export function suggestionPreview(source: string, range: SourceRange): (made: MadeSuggestion) => string {
  const { text, blocks, footnotes } = readDocument(source, defaultLimits.maxDepth)
  const places = (list: readonly { from: number; to: number }[]) =>
    list
      .map(({ from, to }) => ({ start: text.start(from), end: text.start(to) }))
      // What ends where the range begins may go on with what stays behind it.
      .filter(({ start, end }) => start <= range.end && end >= range.start)
  const touched = places(blocks)
  const notes = places(footnotes.map(({ block }) => block))
  const isNote = touched.length === 0 && notes.length === 1
  const around = [...touched, ...notes]
  const start = Math.min(range.start, ...around.map((block) => block.start))
  const end = Math.max(range.end, ...around.map((block) => block.end))
  return ({ range: cut, words }) => {
    const changed = source.slice(start, cut.start) + words + source.slice(cut.end, Math.max(cut.end, end))
    const rest = [source.slice(0, Math.min(start, cut.start)), source.slice(Math.max(cut.end, end))].join(
      '\n',
    )
    const definitions = [...rest.matchAll(definition)].map(([line]) => line).join('\n\n')
    const shown = isNote ? changed.replace(footnoteHead, '').replace(/^(?: {1,4}|\t)/gm, '') : changed
    return renderMarkdown(`${shown}\n\n${definitions}\n`).html
  }
}
