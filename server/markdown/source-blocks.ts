import type { Parts } from './code-and-maths.ts'
import type { MarkdownDocument } from './document.ts'
import { HeadingIds } from './headings.ts'
import { HtmlRenderer } from './html-renderer.ts'
import type { RenderLimits } from './render-limits.ts'

/** A block as it shows, and where it stands in the source. */
export interface RenderedBlock {
  start: number
  end: number
  /** Safe HTML, without what stands around blocks on a page. */
  html: string
}

/** The blocks of a document one by one, in the order of the source. Each footnote is a list of its own. */
export function renderBlocks(
  document: MarkdownDocument,
  parts: Parts,
  limits: RenderLimits,
): RenderedBlock[] {
  const renderer = new HtmlRenderer(parts, limits)
  const ids = new HeadingIds()
  const { text, blocks, footnotes } = document
  const placed = (from: number, to: number, html: string) => ({
    start: text.start(from),
    end: text.start(to),
    html,
  })
  return [
    ...blocks.map((block) =>
      placed(block.from, block.to, renderer.block(block.tokens, ids.of(block, text.start(block.from)))),
    ),
    ...footnotes.map((footnote) =>
      placed(
        footnote.block.from,
        footnote.block.to,
        `<div class="footnotes"><ol start="${footnote.number}"><li>${renderer.footnote(footnote)}</li></ol></div>\n`,
      ),
    ),
  ].sort((a, b) => a.start - b.start)
}
