import { documentRoutes } from '../../contract/routes.ts'
import { forbidden, GalleyError, invalid, notFound } from '../../contract/errors.ts'
import type { SearchHit } from '../../contract/records.ts'
import { limits } from '../../contract/limits.ts'
import { anchorAt } from '../../domain/anchors/anchor.ts'
import { excerptOf } from '../../domain/excerpt.ts'
import { fileNameOf } from '../../domain/file-name.ts'
import type { DocumentHead, DocumentRow } from '../../store/documents.ts'
import type { Store } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { exportFace, exportPage } from '../page/document-page.ts'
import { accountOf, type Caller } from '../caller.ts'
import { decidedPlaces } from '../decided-places.ts'
import { versionsAreCrowded } from '../guest-allowance.ts'
import { pageOf } from '../list-page.ts'
import { FileAnswer, mount, SharedAnswer, type Mounting } from '../mount.ts'
import { placedAnchor } from '../new-anchor.ts'
import { pastOf } from '../past.ts'
import { isCurrent, requireMatch, setEtag } from '../precondition.ts'
import { renderedDocument } from '../rendered-document.ts'
import { letOthers } from '../slices.ts'
import { turnOf, turnOfOwner } from '../turn.ts'
import { documentSummaryView, documentView } from '../view.ts'
import { writer } from '../writer.ts'

/** The document as it is now; it may have gone since the request was let in. */
export function getDocument(context: Context, id: string): DocumentRow {
  const row = context.store.documents.find(id)
  if (!row) throw notFound('Document')
  return row
}

/** The document a reading route was let in with, text and all. */
export const textOf = (context: Context, document: DocumentHead | DocumentRow): DocumentRow =>
  'content' in document ? document : getDocument(context, document.id)

/** Refuses what no document may hold, whichever way it comes. */
export function refuseTooLarge(content: string | undefined) {
  // A code unit is at most three bytes: most texts need no counting.
  if (content === undefined || content.length * 3 <= limits.contentBytes) return
  if (Buffer.byteLength(content, 'utf8') > limits.contentBytes) {
    throw new GalleyError('PAYLOAD_TOO_LARGE', 'The text would be larger than 10 MiB; nothing was changed.')
  }
}

/** Whether anything was ever made of it. */
const isUsed = ({ shareLinks, comments, suggestions }: Store, { number, revision, content }: DocumentRow) =>
  revision > 1 ||
  content !== '' ||
  [shareLinks, comments, suggestions].some((records) => records.list(number).length > 0)

export function documentHandlers(mounting: Mounting) {
  const { store, publish } = mounting.context

  mount(mounting, documentRoutes.listDocuments, ({ caller, query, request }) => {
    const { user } = accountOf(caller)
    const { limit, offset } = pageOf(query, request.url)
    const isSearch = query.q !== undefined && query.q.trim() !== ''
    const hits: SearchHit[] = isSearch
      ? store.search
          .find(user.id, query.q!, limit, offset)
          .map((row) => ({ ...documentSummaryView(row), snippet: row.snippet }))
      : store.documents.list(user.id, limit, offset).map(documentSummaryView)
    if (!query.details) return hits
    return hits.map((hit) => ({
      ...hit,
      excerpt: excerptOf(store.documents.startOf(hit.id), hit.title),
      unseen_feedback: store.seenFeedback.countUnseen(hit.id),
    }))
  })

  mount(mounting, documentRoutes.createDocument, ({ caller, body, reply }) => {
    const { user, author } = accountOf(caller)
    refuseTooLarge(body.content)
    const row = store.transaction(() =>
      store.documents.create(
        user.id,
        {
          title: body.title ?? 'Untitled',
          content: body.content ?? '',
          createdAt: pastOf('created_at', body.created_at, store.now()),
          updatedAt: pastOf('updated_at', body.updated_at, store.now()),
        },
        author,
      ),
    )
    publish({ documentId: row.id, what: 'content' })
    setEtag(reply, row.revision)
    return documentView(row, caller)
  })

  mount(mounting, documentRoutes.markFeedbackSeen, ({ document, body }) => {
    const seen = {
      comments: pastOf('comments', body.comments, store.now()) ?? 0,
      suggestions: pastOf('suggestions', body.suggestions, store.now()) ?? 0,
    }
    store.transaction(() => store.seenFeedback.see(document, seen))
    return { unseen_feedback: store.seenFeedback.countUnseen(document.id) }
  })

  mount(mounting, documentRoutes.getDocument, ({ context, caller, document, request, reply }) => {
    setEtag(reply, document.revision)
    if (isCurrent(request, document.revision)) {
      void reply.code(304).send()
      return undefined
    }
    if (caller.kind !== 'link') return documentView(textOf(context, document), caller)
    const { permission } = caller.link
    return new SharedAnswer(`document ${nameOf(document)} ${permission}`, () =>
      documentView(textOf(context, document), caller),
    )
  })

  mount(
    mounting,
    documentRoutes.updateDocument,
    ({ context, caller, document, body, request, reply, bench }) => {
      refuseTooLarge(body.content)
      const author = writer(caller, reply, body.author_name)
      const row = store.transaction(() => {
        const before = getDocument(context, document.id)
        const informed = requireMatch(request, before, caller)
        const crowded = versionsAreCrowded(store, caller, before.number)
        const change = {
          ...(body.content === undefined ? {} : { content: body.content }),
          ...(body.title === undefined ? {} : { title: body.title }),
          kind: 'edit',
          author,
          informed,
          crowded,
        } as const
        return store.documents.change(before, change, bench)
      })
      publish({ documentId: row.id, what: 'content' })
      setEtag(reply, row.revision)
      return documentView(row, caller)
    },
    {
      permitBody({ caller }, body) {
        if (caller.kind === 'link' && Object.hasOwn(body, 'title'))
          throw forbidden('A share link may change the text, but not the title.')
      },
    },
  )

  mount(mounting, documentRoutes.deleteDocument, ({ context, caller, document, query }) => {
    store.transaction(() => {
      const row = getDocument(context, document.id)
      if (query.only_unused === true && isUsed(store, row))
        throw new GalleyError('PRECONDITION_FAILED', 'The document was used, and is kept.', {
          data: documentView(row, caller),
        })
      store.documents.delete(row)
    })
    publish({ documentId: document.id, what: 'deleted', ownerId: document.owner_id })
    return { deleted: true as const }
  })

  mount(mounting, documentRoutes.exportDocument, ({ context, caller, document, query }) => {
    if (query.format !== 'html')
      return new SharedAnswer<string>(`markdown ${nameOf(document)}`, () => {
        const { title, content } = textOf(context, document)
        return new FileAnswer('text/markdown', `${fileNameOf(title)}.md`, content)
      })
    const make = () => exportedPage(context, caller, document)
    return new SharedAnswer<string>(`page ${nameOf(document)}`, make, `page ${document.id}`)
  })

  mount(
    mounting,
    documentRoutes.renderDocument,
    ({ context, caller, document }) =>
      new SharedAnswer(`rendered ${nameOf(document)}`, () => renderingOf(context, caller, document)),
  )

  mount(mounting, documentRoutes.renderMarkdown, async ({ context, caller, body }) => {
    refuseTooLarge(body.content)
    const { html, limited } = await context.markdown.render(body.content, turnOfOwner(accountOf(caller).user))
    return { html, limited }
  })

  mount(mounting, documentRoutes.locate, async ({ context, caller, document, body, bench }) => {
    const { revision, from, to } = body
    const turn = turnOf(caller, document)
    const shown = shownText(context, caller, document, revision)
    const { found: range, limited } = await context.markdown.sourceRange(shown, from, to, turn)
    if (limited) throw invalid('This text takes too long to read to find words of its page in it.')
    if (!range || range.end <= range.start)
      throw invalid('Nothing of the document stands between these two points.')
    // Read again, so that whoever waits holds no text.
    const chosen = anchorAt(shownText(context, caller, document, revision), range.start, range.end)
    const now = getDocument(context, document.id)
    const { range: today } = placedAnchor(store, now, { ...chosen, revision }, bench)
    if (!today) throw changedSince()
    // Nothing of an older text is told but where its words stand today.
    const anchor = { ...anchorAt(now.content, today.start, today.end), revision: now.revision }
    return { revision: now.revision, range: today, anchor }
  })

  mount(mounting, documentRoutes.listMarks, async ({ context, caller, document, query }) => {
    const asked = askForMarks(context, caller, document, query.decided)
    const { places, revision } = asked
    const { found, limited } = await asked.ranges
    return {
      revision,
      marks: places.flatMap(({ id, kind }, index) => {
        const points = found?.[index]
        return points ? [{ id, kind, from: points.from, to: points.to }] : []
      }),
      limited,
      ...(caller.kind === 'link' ? { permission: caller.link.permission } : {}),
    }
  })
}

/** What names the text of a document as it is now. Its number isn't part of it: another document may get that later. */
const nameOf = ({ id, revision, updated_at }: DocumentHead) => `${id} ${revision} ${updated_at}`

async function exportedPage(context: Context, caller: Caller, document: DocumentHead): Promise<FileAnswer> {
  const read = () => textOf(context, document)
  const turn = turnOf(caller, document)
  const page = await renderedDocument(context, document, read, turn)
  const { title, html, headings, language } = page
  const { documentStyle: style, fonts } = context.assets()
  await letOthers()
  const face = await exportFace({ title, html, fonts })
  await letOthers()
  const text = exportPage({ title, html, headings, language, style, fonts, face })
  // One that ran out of time may come out whole on a calmer machine.
  return new FileAnswer('text/html', `${fileNameOf(title)}.html`, text, page.limited !== 'time')
}

async function renderingOf(context: Context, caller: Caller, document: DocumentHead) {
  const read = () => textOf(context, document)
  const turn = turnOf(caller, document)
  const page = await renderedDocument(context, document, read, turn)
  const headings = page.headings.map(({ level, text, id }) => ({ level, text, id }))
  return { revision: page.revision, title: page.title, html: page.html, headings, words: page.words }
}

const changedSince = () =>
  new GalleyError('PRECONDITION_FAILED', 'The document has changed since this page was loaded.')

/**
 * The text that a page showed. A link's holder is asked about none that was replaced before there was the link.
 * @throws GalleyError PRECONDITION_FAILED if it isn't known any more
 */
function shownText(context: Context, caller: Caller, { id }: DocumentHead, revision: number): string {
  const { documents } = context.store
  const row = getDocument(context, id)
  if (revision !== row.revision && caller.kind === 'link') {
    const replacedAt = documents.timeOf(row.number, revision + 1)
    if (replacedAt === undefined || replacedAt < caller.link.created_at) throw changedSince()
  }
  const text = documents.textAt(row, revision)
  if (text === null) throw changedSince()
  return text
}

/** Where comments and suggestions stand, and the question where that shows. Whoever waits for the answer holds no text. */
function askForMarks(context: Context, caller: Caller, document: DocumentHead, decided: string | undefined) {
  const { store, markdown } = context
  const { number, revision, content } = getDocument(context, document.id)
  const seesSuggestions = caller.kind === 'owner' || caller.link.permission !== 'view'
  const places = [
    ...store.comments
      .list(number)
      .filter((comment) => comment.resolved_at === null)
      .map(({ id, range }) => ({ id, kind: 'comment' as const, range })),
    ...(seesSuggestions ? store.suggestions.list(number, { status: 'pending' }) : []).map(
      ({ id, range }) => ({
        id,
        kind: 'suggestion' as const,
        range,
      }),
    ),
    ...(seesSuggestions ? decidedPlaces(store, { number, content }, decided) : []),
  ].flatMap((place) => (place.range ? [{ ...place, range: place.range }] : []))
  const ranges = markdown.renderedRanges(
    content,
    places.map((place) => place.range),
    turnOf(caller, document),
  )
  return { places, revision, ranges }
}
