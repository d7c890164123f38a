import { withoutCrowds } from './crowded-marks.ts'
import { escapeHtml } from './escape-html.ts'
import type { Limit } from './render-limits.ts'
import type { Rendered } from './rendered.ts'
import { countMarkdownWords } from './word-count.ts'

const notices: Record<Limit, string> = {
  time: 'This text takes too long to lay out, so it is shown as it was written.',
  depth: 'This text is nested too deep to lay out, so it is shown as it was written.',
  size: 'This text would become too large when laid out, so it is shown as it was written.',
}

/** The source as it is, with a notice: what there is to show when rendering gave up. */
export function renderPlainly(source: string, limit: Limit): Rendered {
  const text = source.toWellFormed().replaceAll('\0', '\uFFFD')
  const html =
    `<p class="limited" role="note">${notices[limit]}</p>\n` +
    wrap(0, `<pre class="source" tabindex="0">${escapeHtml(withoutCrowds(text))}</pre>\n`)
  return {
    html,
    headings: [],
    excerpt: shorten(text.slice(0, 2_000)),
    words: countMarkdownWords(source),
    language: null,
    limited: limit,
  }
}

/** A block as the page has it, marked with the place in the source where it starts. */
export function wrap(offset: number, content: string): string {
  return `<div class="b" data-b="${offset}">${content}</div>\n`
}

/** The first 200 characters or fewer, on one line. */
export function shorten(text: string): string {
  const line = text.slice(0, 2_000).replace(/\s+/g, ' ').trim()
  if (line.length <= 200) return line
  const cut = line
    .slice(0, 199)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
  const space = cut.lastIndexOf(' ')
  return `${space > 120 ? cut.slice(0, space) : cut}…`
}
