import { readDocument, type MarkdownDocument } from './document.ts'
import { decodeReferences } from './entities.ts'
import { HeadingIds } from './headings.ts'
import { HtmlRenderer } from './html-renderer.ts'
import { languageOf, namedLanguage } from './language.ts'
import type { Parts } from './code-and-maths.ts'
import { renderPlainly, shorten, wrap } from './plain.ts'
import { defaultLimits, LimitReached, type Limit, type RenderLimits } from './render-limits.ts'
import type { Rendered } from './rendered.ts'
import { countMarkdownWords } from './word-count.ts'
import { directionOfTokens } from './token-direction.ts'

/**
 * Renders a document to safe HTML. Takes as long as it takes: hostile text belongs in a worker (see
 * `createRenderer`). Without `parts`, code is shown without colours and maths as its source.
 */
export function renderMarkdown(
  source: string,
  parts: Parts = {},
  limits: RenderLimits = defaultLimits,
): Rendered {
  try {
    return renderDocument(readDocument(source, limits.maxDepth), parts, limits)
  } catch (error) {
    const limit = limitOf(error)
    if (!limit) throw error
    return renderPlainly(source, limit)
  }
}

/** The limit that an error stands for. Running out of stack is nesting too deep. */
export function limitOf(error: unknown): Limit | null {
  if (error instanceof LimitReached) return error.limit
  if (error instanceof RangeError) return /call stack/i.test(error.message) ? 'depth' : 'size'
  // How the lexer gives up on text it makes no headway with.
  if (error instanceof Error && error.message.startsWith('Infinite loop')) return 'time'
  return null
}

export function renderDocument(document: MarkdownDocument, parts: Parts, limits: RenderLimits): Rendered {
  const renderer = new HtmlRenderer(parts, limits)
  const ids = new HeadingIds()
  let html = ''
  let text = ''
  let excerpt = ''
  // What code says is in no language of people.
  let prose = ''
  for (const block of document.blocks) {
    const offset = document.text.start(block.from)
    const content = renderer.block(block.tokens, ids.of(block, offset))
    html += wrap(offset, content)
    const words = textOf(content)
    text += `${words}\n`
    if (block.tokens[0]!.type !== 'code' && prose.length < 10_000) prose += `${words}\n`
    if (block.tokens[0]!.type === 'paragraph' && excerpt.length <= 200) excerpt += ` ${words}`
  }
  if (document.footnotes.length > 0) {
    html += '<section class="footnotes" role="doc-endnotes" aria-label="Footnotes">\n<ol>\n'
    for (const footnote of document.footnotes) {
      const content = wrap(document.text.start(footnote.block.from), renderer.footnote(footnote))
      const dir = directionOfTokens(footnote.token.tokens) === 'rtl' ? ' dir="rtl"' : ''
      html += `<li id="user-content-fn-${footnote.number}"${dir}>${content}</li>\n`
      text += `${textOf(content)}\n`
    }
    html += '</ol>\n</section>\n'
  }
  return {
    html,
    headings: ids.headings,
    excerpt: shorten(excerpt || text),
    words: countMarkdownWords(document.frontMatter + document.text.text),
    language: namedLanguage(document.frontMatter) ?? languageOf(prose),
    limited: null,
  }
}

// Not part of what the text says: TeX behind the maths, numbers of footnotes, hosts of images.
const asides =
  /<annotation[^>]*>[^<]*<\/annotation>|<sup><a class="footnote-ref"[^>]*>\d+<\/a><\/sup>|<a class="footnote-back"[^>]*>↩<\/a>|<span class="img-host">[^<]*<\/span>/g

function textOf(html: string): string {
  return decodeReferences(html.replace(asides, '').replace(/<[^>]*>/g, ''))
}
