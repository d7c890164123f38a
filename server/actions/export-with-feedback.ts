import { forbidden } from '../contract/errors.ts'
import { writeCriticMarkup } from '../domain/critic-markup/write.ts'
import { documentAction } from './action.ts'
import { textWithFeedback } from './feedback-as-text.ts'
import { instantView } from './view.ts'
import { presentDocument } from './present-document.ts'
import { renderedDocument, type RenderedPage } from './rendered-document.ts'
import type { RenderingContext } from './rendering-context.ts'
import { mayAlso, type DocumentTask } from './task.ts'
import type { Range } from '../contract/records/anchors.ts'
import type { RenderedPoint } from '../contract/records/rendering.ts'
import { isBreak } from '../domain/break-change.ts'
import { settingChange } from '../domain/setting-change.ts'
import { signChange } from '../domain/sign-change.ts'
import { isAllOfLines } from '../domain/whole-lines.ts'
import { firstWord, wordBeside } from '../domain/anchors/insertion-place.ts'
import {
  isLost,
  type FeedbackPlace,
  type SignedComment,
  type TextWithFeedback,
} from '../domain/document-feedback.ts'
import { taskTickIn } from '../domain/task-tick.ts'
import type { ShownSpan } from './shown-paragraphs.ts'
import { splicedPage } from './spliced-page.ts'
import { spaceBefore, spaceBehind } from '../domain/white-space.ts'

/** @throws GalleyError FORBIDDEN for whoever may export the text alone */
export function permitFeedback({ principal }: DocumentTask) {
  if (!mayAlso(principal, 'export.feedback'))
    throw forbidden('A share link exports the text alone. Its feedback is read in the lists.')
}

/** A document’s text with its pending suggestions and open comments, as CriticMarkup. */
export const readAsCriticMarkup = documentAction({
  right: 'export',
  effect: 'reads',
  permit: permitFeedback,
  run({ store, document }) {
    const row = presentDocument(store, document.id)
    const content = writeCriticMarkup(textWithFeedback(store, row))
    return { title: row.title, content, updated_at: instantView(row.updated_at) }
  },
})

/** Feedback as a page shows it. */
export interface ExportedFeedback {
  kind: 'comment' | 'suggestion'
  /** Its offset in the source, or that it is about the whole text, or that its words are gone. */
  place: number | 'whole' | 'lost'
  /** Where it shows on the rendered page; of what is put in or doesn’t show, the word beside it. Null where nothing shows. */
  points: { from: RenderedPoint; to: RenderedPoint } | null
  /** What is put in comes before that word. */
  isBefore: boolean
  /** What it is about has no words that show: the points are of the word beside it. */
  isBeside: boolean
  /** It is about all that stands in some lines, or lines that are put in. */
  isOfLines: boolean
  /** It changes a part of a formula, a picture or a reference, which shows as another whole only. */
  isPart: boolean
  /** What becomes of the language of code, or of the side of cells, if it changes that alone, which shows nowhere itself. */
  setting: string | null
  /** The lines that it takes out and puts in, where all of them stand on the page; null where they don’t. */
  lines: readonly ShownSpan[] | null
  /** The words it is about. */
  original: string
  suggested: string
  comments: [SignedComment, ...SignedComment[]]
}

export interface PageWithFeedback extends RenderedPage {
  feedback: ExportedFeedback[]
}

/**
 * A document’s page with its pending suggestions and open comments, in the order of their words. As Word has it, the lines
 * that suggestions put in stand among the others, as far as that tells what they do.
 */
export async function pageWithFeedback(
  task: DocumentTask<RenderingContext>,
  { isForWord }: { isForWord: boolean },
): Promise<PageWithFeedback> {
  const { context, store } = task
  const row = presentDocument(store, task.document.id)
  const text = textWithFeedback(store, row)
  const rendering = renderedDocument(context, row, () => row, task.turn())
  const spliced = isForWord
    ? await rendering.then(({ html, limited }) =>
        limited ? null : splicedPage(context.markdown, text, html, task.turn()),
      )
    : null
  const onPage = (range: Range) => spliced?.text.range(range) ?? range
  const found = listFeedback(text).map(({ edit, shows, changes, ...one }) => {
    const lines = (edit && spliced?.spans.get(edit)) ?? null
    return {
      one: { ...one, lines },
      changes: changes && onPage(changes),
      shows: lines ? [] : shows.map(onPage),
    }
  })
  const [page, { found: points }] = await Promise.all([
    rendering,
    context.markdown.renderedRanges(
      spliced?.text.text ?? text.content,
      found.flatMap(({ shows }) => shows),
      task.turn(),
    ),
  ])
  let next = 0
  const feedback = found.map(({ one, shows, changes }): ExportedFeedback => {
    const showing = shows.flatMap((range) => {
      const at = points?.[next++]
      return at ? [{ at, range }] : []
    })[0]
    const isBefore = !!showing && changes !== null && changes.start <= showing.range.start
    const isPart = !!showing && changes !== null && cuts(changes, showing.at.source)
    return { ...one, isBefore, isPart, isBeside: one.isBeside || isPart, points: showing?.at ?? null }
  })
  if (!spliced) return { ...page, feedback }
  const files = spliced.html.includes('="files/') ? store.files.list(row.number) : []
  return { ...page, html: spliced.html, files, feedback }
}

/** Whether a change begins or ends within what shows only as one. */
const cuts = (change: Range, { start, end }: Range) =>
  [change.start, change.end].some((at) => start < at && at < end)

function listFeedback({ content, threads, edits }: TextWithFeedback) {
  const wordsAt = (place: FeedbackPlace) =>
    isLost(place) ? place.exact : content.slice(place.start, place.end)
  const all = [
    ...threads.map(({ place, comments }) => ({
      ...{
        kind: 'comment' as const,
        edit: null,
        setting: null,
        suggested: '',
        changes: null,
        isBeside: false,
        isOfLines: false,
        comments,
      },
      original: place ? wordsAt(place) : '',
      place: place ? (isLost(place) ? ('lost' as const) : place.start) : ('whole' as const),
      shows: place && !isLost(place) && place.end > place.start ? [place] : [],
    })),
    ...edits.map((edit) => {
      const { place, comment, replies } = edit
      // Of a task that is ticked its line is told: its box alone says nothing.
      const tick = isLost(place) ? null : taskTickIn(content, place, edit.suggested)
      const { original, suggested } = tick ?? edit
      const range = isLost(place) ? null : (tick?.range ?? place)
      const setting = range && settingIn(content, range, suggested)
      // Of lines whose words stay the first is what their signs stand before.
      const isBeside = isUnseen(original) || setting !== null || signChange(original, suggested) !== null
      return {
        ...{ kind: 'suggestion' as const, edit, original, suggested, changes: range },
        isBeside,
        setting,
        isOfLines: range !== null && isOfLines(content, range),
        shows: range
          ? setting
            ? [wordBeside(content, range)].filter((word) => word !== null)
            : isUnseen(original)
              ? wordsBeside(content, range)
              : isBeside
                ? [firstWord(content, range)]
                : [range]
          : [],
        comments: [comment, ...replies] as [SignedComment, ...SignedComment[]],
        place: range ? range.start : ('lost' as const),
      }
    }),
  ]
  const order = (place: ExportedFeedback['place']) =>
    place === 'whole' ? Number.MAX_SAFE_INTEGER : place === 'lost' ? Infinity : place
  return all.toSorted((a, b) => (order(a.place) === order(b.place) ? 0 : order(a.place) - order(b.place)))
}

/** So much of a line is looked at on both sides of what may set something. */
const nearby = 240

function settingIn(content: string, { start, end }: Range, suggested: string): string | null {
  const [before, after] = [
    content.slice(Math.max(0, start - nearby), start),
    content.slice(end, end + nearby),
  ]
  return settingChange(before, content.slice(start, end), suggested, after)?.words || null
}

/** Line ends around them aside. */
function isOfLines(content: string, { start, end }: Range): boolean {
  const words = content.slice(start, end)
  if (words.trim() === '') return true
  const [lead, tail] = [spaceBefore(words), spaceBehind(words)]
  return isAllOfLines(content, { start: start + lead.length, end: end - tail.length })
}

/** White space and signs alone don’t show on the page. */
const isUnseen = (words: string) => words.trim() === '' || isBreak(words)

/** The words of which one shows where something is put in: the one before it on its line, the one behind it, or any. */
function wordsBeside(content: string, place: Range): Range[] {
  const { start } = place
  const before = wordBeside(content, place)
  const after = /^[^\S\n]*(\S{1,120})/.exec(content.slice(start, start + 240))
  const behind = after && { start: start + after[0].length - after[1]!.length, end: start + after[0].length }
  const line = content.slice(Math.max(content.lastIndexOf('\n', start - 1) + 1, start - 120), start)
  const inOrder = /[\p{L}\p{N}]/u.test(line) ? [before, behind] : [behind, before]
  return inOrder.filter((range) => range !== null)
}
