import type { SuggestedEdit, TextWithFeedback } from '../domain/document-feedback.ts'
import { lineEdits, SplicedText, type LineEdit } from '../domain/line-splices.ts'
import type { MarkdownRenderer } from '../markdown/index.ts'
import type { Turn } from '../threads/fair-queue.ts'
import { shownParagraphs, withoutSpans, type ShownSpan } from './shown-paragraphs.ts'

/** A text with the lines that come beside those that go, as it is rendered. */
export interface SplicedPage {
  text: SplicedText
  html: string
  /** Where the lines of each suggestion show that are in it. */
  spans: ReadonlyMap<SuggestedEdit, readonly ShownSpan[]>
}

/** So often a text is rendered at most to find out which suggestions can be told so. */
const mostTries = 40

/**
 * The page on which all lines stand that suggestions put in, each as what it will be, as far as what comes and goes can
 * be told apart there: without the one it is the page as it is, without the other as it will be. What would make
 * something else of the lines around it, such as code that is never closed, is left out.
 */
export async function splicedPage(
  markdown: MarkdownRenderer,
  { content, edits }: Pick<TextWithFeedback, 'content' | 'edits'>,
  html: string,
  turn: Turn,
): Promise<SplicedPage | null> {
  const was = withoutSpans(shownParagraphs(html, []), 'comes').join('\n')
  let left = mostTries
  const fit = async (
    all: readonly LineEdit[],
  ): Promise<{ all: readonly LineEdit[]; page: SplicedPage } | null> => {
    if (all.length === 0 || left-- <= 0) return null
    const page = await spliced(markdown, content, all, was, turn)
    if (page) return { all, page }
    const [only] = all
    if (all.length === 1) return only!.isParted ? null : fit([{ ...only!, isParted: true }])
    const middle = all.length >> 1
    const [first, second] = [await fit(all.slice(0, middle)), await fit(all.slice(middle))]
    if (!first || !second) return first ?? second
    const both = [...first.all, ...second.all]
    const whole = left-- > 0 ? await spliced(markdown, content, both, was, turn) : null
    return whole ? { all: both, page: whole } : first
  }
  return (await fit(lineEdits(content, edits)))?.page ?? null
}

async function spliced(
  markdown: MarkdownRenderer,
  content: string,
  all: readonly LineEdit[],
  was: string,
  turn: Turn,
): Promise<SplicedPage | null> {
  const text = new SplicedText(content, all)
  const lines = text.lines.flatMap(({ edit, goes, comes }) => [
    ...(goes ? [{ edit, does: 'goes' as const, source: goes }] : []),
    ...(comes ? [{ edit, does: 'comes' as const, source: comes }] : []),
  ])
  const [both, then, { found }] = await Promise.all([
    markdown.render(text.text, turn),
    markdown.render(new SplicedText(content, all, true).text, turn),
    markdown.renderedRanges(
      text.text,
      lines.map(({ source }) => source),
      turn,
    ),
  ])
  if (both.limited || then.limited || !found) return null
  const spans = new Map<SuggestedEdit, ShownSpan[]>(all.map(({ edit }) => [edit, []]))
  for (const [i, { edit, does, source }] of lines.entries())
    spans.get(edit)!.push({ does, source, points: found[i] ?? null })
  const paragraphs = shownParagraphs(both.html, [...spans.values()].flat())
  const will = withoutSpans(shownParagraphs(then.html, []), 'comes').join('\n')
  const isTold = all.every(({ edit }) =>
    paragraphs.some((one) => one.pieces.some(({ span }) => isOf(span, spans.get(edit)!))),
  )
  const [without, with_] = [withoutSpans(paragraphs, 'comes'), withoutSpans(paragraphs, 'goes')]
  return isTold && without.join('\n') === was && with_.join('\n') === will
    ? { text, html: both.html, spans }
    : null
}

const isOf = (span: object | null, spans: readonly ShownSpan[]) => spans.some((one) => one === span)
