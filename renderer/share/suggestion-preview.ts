import { readDocument } from '../../server/markdown/document.ts'
import { renderMarkdown } from '../../server/markdown/render.ts'
import { defaultLimits, type SourceRange } from '../../server/markdown/rendered.ts'
import type { MadeSuggestion } from './made-suggestion.ts'

const definition = /^ {0,3}\[[^\]\n]+\]:.*$/gm

/** How the paragraphs around a range will read, as HTML, with what is suggested on it. */
export function suggestionPreview(source: string, range: SourceRange): (made: MadeSuggestion) => string {
  const { text, blocks } = readDocument(source, defaultLimits.maxDepth)
  const touched = blocks
    .map(({ from, to }) => ({ start: text.start(from), end: text.start(to) }))
    .filter(({ start, end }) => start < range.end && end > range.start)
  const start = Math.min(range.start, ...touched.map((block) => block.start))
  const end = Math.max(range.end, ...touched.map((block) => block.end))
  const definitions = [...source.matchAll(definition)].map(([line]) => line).join('\n')
  return ({ range: cut, words }) => {
    const changed = source.slice(start, cut.start) + words + source.slice(cut.end, Math.max(cut.end, end))
    return renderMarkdown(`${changed}\n\n${definitions}\n`).html
  }
}
