import { GalleyError, invalid } from '../contract/errors.ts'
import type { Range } from '../contract/records/anchors.ts'
import type { Located, RenderedPoint } from '../contract/records/rendering.ts'
import { documentRoutes } from '../contract/routes/documents.ts'
import { anchorAt } from '../domain/anchors/anchor.ts'
import { placeUnanchored } from '../domain/suggestion.ts'
import { documentAction } from './action.ts'
import { decidedPlaces } from './decided-places.ts'
import { placedAnchor } from './new-anchor.ts'
import { isShownTo, seenBy } from './principal.ts'
import { presentDocument } from './present-document.ts'
import type { RenderingContext } from './rendering-context.ts'
import { searchedInOneList } from './suggestions.ts'
import type { DocumentTask } from './task.ts'
import { allowedView } from './view.ts'
import { firstWord, isDivider, isUnseen, wordBeside } from '../domain/anchors/insertion-place.ts'
import { taskTickIn } from '../domain/task-tick.ts'
import { placeInText } from '../markdown/footnotes.ts'

/** What was selected on the rendered page of a revision. */
interface Selected {
  revision: number
  from: RenderedPoint
  to: RenderedPoint
}

/** Turns a selection on the rendered page into an anchor. */
export const locate = documentAction({
  right: 'document.read',
  effect: 'reads',
  accepts: documentRoutes.locateSelection.body,
  locates: true,
  async run(task: DocumentTask<RenderingContext>, { revision, from, to }: Selected): Promise<Located> {
    const { context, store, document } = task
    const shown = shownText(task, revision)
    const { found: range, limited } = await context.markdown.sourceRange(shown, from, to, task.turn())
    if (limited) throw invalid('This text takes too long to read to find words of its page in it.')
    if (!range || range.end <= range.start)
      throw invalid('Nothing of the document stands between these two points.')
    // Read again, so that whoever waits holds no text.
    const chosen = anchorAt(shownText(task, revision), range.start, range.end)
    const now = presentDocument(store, document.id)
    const { range: today } = placedAnchor(store, now, { anchor: { ...chosen, revision } }, task.bench)
    if (!today) throw changedSince()
    // Nothing of an older text is told but where its words stand today.
    const anchor = { ...anchorAt(now.text.whole, today.start, today.end), revision: now.revision }
    return { revision: now.revision, range: today, anchor }
  },
})

/** Where comments and suggestions show on the rendered page. */
export const listMarks = documentAction({
  right: 'comment.list',
  effect: 'reads',
  async run(task: DocumentTask<RenderingContext>, { decided }: { decided?: string | undefined }) {
    const { principal } = task
    const { places, revision, ranges } = askForMarks(task, decided)
    const { found, limited } = await ranges
    return {
      revision,
      marks: places.flatMap(({ id, kind }, index) => {
        const points = found?.[index]
        return points ? [{ id, kind, from: points.from, to: points.to }] : []
      }),
      limited,
      ...allowedView(principal),
    }
  },
})

const changedSince = () =>
  new GalleyError('PRECONDITION_FAILED', 'The document has changed since this page was loaded.')

/**
 * The text that a page showed. A link's holder is asked about none that was replaced before the link was opened.
 * @throws GalleyError PRECONDITION_FAILED if it isn't known any more
 */
export function shownText({ store, principal, document }: DocumentTask, revision: number): string {
  const { documents } = store
  const row = presentDocument(store, document.id)
  if (revision !== row.revision && principal.kind === 'link') {
    const replacedAt = documents.timeOf(row.number, revision + 1)
    if (replacedAt === undefined || replacedAt < principal.link.open_since) throw changedSince()
  }
  const text = documents.textAt(row, revision)
  if (text === null) throw changedSince()
  return text
}

/** Where comments and suggestions stand, and the question where that shows. Whoever waits for the answer holds no text. */
function askForMarks(task: DocumentTask<RenderingContext>, decided: string | undefined) {
  const { context, store, principal } = task
  const {
    number,
    revision,
    text: { whole: content },
  } = presentDocument(store, task.document.id)
  const seesSuggestions = principal.kind === 'owner' || principal.link.permission !== 'view'
  const comments = store.comments
    .list(number)
    .filter((comment) => comment.resolved_at === null && isShownTo(principal, comment))
  const suggestions = seesSuggestions
    ? store.suggestions.list(number, { status: 'pending', seenBy: seenBy(principal) })
    : []
  const work = { left: searchedInOneList }
  const places = [
    ...comments.map(({ id, range }) => ({ id, kind: 'comment' as const, range })),
    ...suggestions.map(({ id, anchor, original_text, suggested_text, range }) => ({
      id,
      kind: 'suggestion' as const,
      range: anchor
        ? range && shownRange(content, range, { suggested_text })
        : placeUnanchored(content, original_text, work),
    })),
    ...(seesSuggestions ? decidedPlaces(store, { number, content }, decided) : []),
  ].flatMap((place) => (place.range ? [{ ...place, range: place.range }] : []))
  const ranges = context.markdown.renderedRanges(
    content,
    places.map((place) => place.range),
    task.turn(),
  )
  return { places, revision, ranges }
}

/** Where a suggestion shows: one of what has no words, such as signs, an address or a divider, at the word beside it. */
function shownRange(
  content: string,
  range: Range,
  { suggested_text }: { suggested_text: string },
): Range | null {
  const tick = taskTickIn(content, range, suggested_text)
  if (tick) return firstWord(content, tick.range)
  const goes = suggested_text.trim() === '' && isDivider(content.slice(range.start, range.end))
  if (!goes && !isUnseen(content, range)) return range
  const place = placeInText(content, range.start, suggested_text)
  return wordBeside(content, place < range.start ? { start: place, end: place } : range)
}
