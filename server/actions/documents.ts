import { forbidden, GalleyError } from '../contract/errors.ts'
import type { Document, SearchHit } from '../contract/records/documents.ts'
import { documentRoutes } from '../contract/routes/documents.ts'
import { CHANGE_BUDGET, GUEST_BUDGET } from '../domain/budget.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import { editByChanges } from '../domain/document-change.ts'
import { excerptOf } from '../domain/excerpt.ts'
import type { DocumentRow, DocumentWrite } from '../store/documents.ts'
import type { FoundDocument } from '../store/search.ts'
import type { Store } from '../store/store.ts'
import { accountAction, documentAction } from './action.ts'
import { authorOf, checkAuthorName } from './author.ts'
import { requireRoomForChange, requireShortLines } from './guest-room.ts'
import { ReceivedFeedback, readFeedback } from './feedback-as-text.ts'
import { pastOf } from './past.ts'
import {
  presentDocument,
  refuseTooLarge,
  requireRevision,
  requireTitle,
  textOf,
  type KnownRevisions,
} from './present-document.ts'
import { chosenDocuments, isGuest, seesDocument } from './principal.ts'
import { findDocuments, type SearchContext } from './search.ts'
import type { Happened } from './record.ts'
import type { AccountTask, DocumentTask } from './task.ts'
import { documentSummaryView, documentView } from './view.ts'

/** Which part of a list of documents is asked for. */
export interface ListedDocuments {
  limit: number
  offset: number
  /** Words to look for, if there are any in it. */
  q?: string | undefined
}
export const isSearch = ({ q }: ListedDocuments) => q !== undefined && q.trim() !== ''

export const listDocuments = accountAction({
  right: 'document.list',
  effect: 'reads',
  run(
    { context, principal }: AccountTask<SearchContext>,
    input: ListedDocuments & { details?: boolean | undefined },
  ): SearchHit[] | Promise<SearchHit[]> {
    const { store } = context
    const { limit, offset, q = '', details } = input
    const owner = principal.user.id
    const among = chosenDocuments(principal)
    const described = (hits: SearchHit[]) => (details ? hits.map((hit) => withDetails(store, hit)) : hits)
    if (!isSearch(input))
      return described(store.documents.list(owner, limit, offset, among).map(documentSummaryView))
    const show = (found: FoundDocument[]) =>
      described(found.map((row) => ({ ...documentSummaryView(row), snippet: row.snippet })))
    const found = findDocuments(context, { owner, query: q, limit, offset, ...(among ? { among } : {}) })
    if (!(found instanceof Promise)) return show(found)
    // Meanwhile some may have been deleted.
    return found.then((rows) => show(rows.filter(({ id }) => store.documents.findHead(id))))
  },
})

const withDetails = (store: Store, hit: SearchHit): SearchHit => ({
  ...hit,
  excerpt: excerptOf(store.documents.startOf(hit.id), hit.title),
  unseen_feedback: store.seenFeedback.countUnseen(hit.id),
  unseen_reviews: store.seenFeedback.countUnseenReviews(hit.id),
})

interface NewDocument {
  title?: string | undefined
  content?: string | undefined
  created_at?: string | undefined
  updated_at?: string | undefined
  /** Whether the content is CriticMarkup. */
  feedback?: boolean | undefined
}

export const createDocument = accountAction({
  right: 'document.create',
  effect: 'writes',
  accepts: documentRoutes.createDocument.body,
  check: (_task, { content }: NewDocument) => refuseTooLarge(content),
  run({ store, principal, bench }, input: NewDocument, happened): Document {
    const text = readFeedback(input.content ?? '', input.feedback, bench)
    const row = store.documents.create(
      principal.user.id,
      {
        title: input.title ?? 'Untitled',
        content: text.content,
        createdAt: pastOf('created_at', input.created_at, store.now()),
        updatedAt: pastOf('updated_at', input.updated_at, store.now()),
      },
      principal.author,
    )
    new ReceivedFeedback(store, row.number, text, principal.author).save()
    happened({ kind: 'document.created', document: row })
    return documentView(row, principal)
  },
})

/** The ids of all documents of an account, in the order they were made. */
export const listDocumentIds = accountAction({
  right: 'document.list',
  effect: 'reads',
  run: ({ store, principal }): string[] =>
    store.documents.listIds(principal.user.id).filter((id) => seesDocument(principal, id)),
})

export const readDocument = documentAction({
  right: 'document.read',
  effect: 'reads',
  readsText: true,
  run: ({ store, principal, document }): Document => documentView(textOf(store, document), principal),
})

interface ChangedDocument {
  content?: string | undefined
  title?: string | undefined
  /** What the title was made of, if that is to be made sure of. */
  base_title?: string | undefined
  author_name?: string | undefined
  /** What was changed, if that is to be made sure of. */
  ifRevision?: KnownRevisions | undefined
}

const permitTitle = ({ principal }: DocumentTask, input: object) => {
  if (principal.kind === 'link' && ['title', 'base_title'].some((name) => Object.hasOwn(input, name)))
    throw forbidden('A share link may change the text, but not the title.')
}

export const updateDocument = documentAction({
  right: 'document.edit',
  effect: 'writes',
  accepts: documentRoutes.updateDocument.body,
  permitInput: permitTitle,
  check(task, { content, author_name }: ChangedDocument) {
    refuseTooLarge(content)
    checkAuthorName(task, author_name)
  },
  run(task, { content, title, base_title, author_name, ifRevision }: ChangedDocument, happened): Document {
    const before = presentDocument(task.store, task.document.id)
    const informed = requireRevision(ifRevision, before, task.principal)
    requireTitle(base_title, before, task.principal)
    const text = content === undefined ? {} : { content }
    return write(task, before, { ...text, title, author: authorOf(task, author_name), informed }, happened)
  },
})

interface EditedDocument {
  /** What exactly is changed in the text of `revision`. */
  changes?: ChangeSet | undefined
  title?: string | undefined
  revision: number
}

/** The same for whoever knows what they change, and not only what is to come of it: a comparison may take it for another. */
export const editDocument = documentAction({
  right: 'document.edit',
  effect: 'writes',
  permitInput: permitTitle,
  run(task, { changes, title, revision }: EditedDocument, happened): Document {
    const { store, principal } = task
    const before = presentDocument(store, task.document.id)
    const informed = requireRevision({ revisions: [revision], any: false }, before, principal)
    const author = authorOf(task, undefined)
    const isRenamed = title !== undefined && title !== before.title
    // What leaves all as it is makes no revision.
    if (!isRenamed && (!changes || changes.empty)) return documentView(before, principal)
    if (!changes || changes.empty) return write(task, before, { title, author, informed }, happened)
    const { anchors: budget } = isGuest(principal) ? GUEST_BUDGET : CHANGE_BUDGET
    const edited = editByChanges(before.text, changes, store.documents.anchors(before.number), budget)
    if (edited.content.length > before.text.length) refuseTooLarge(edited.content)
    return write(task, before, { edited, changes, title, author, informed }, happened)
  },
})

type Written = Pick<DocumentWrite, 'content' | 'edited' | 'author' | 'informed'> & {
  /** Where it was `edited` by them. */
  changes?: ChangeSet
  title: string | undefined
}

function write(
  { store, principal, bench }: DocumentTask,
  before: DocumentRow,
  { title, changes, ...written }: Written,
  happened: Happened,
): Document {
  requireRoomForChange(store, principal, before.number)
  const after = written.content ?? written.edited?.content
  if (after !== undefined) requireShortLines(principal, before.text, after, changes)
  const change = { ...written, ...(title === undefined ? {} : { title }), kind: 'edit' } as const
  const row = store.documents.change(before, change, bench)
  const isOfText = written.content !== undefined || written.edited !== undefined
  happened({
    kind: isOfText ? 'document.changed' : 'document.renamed',
    document: row,
    guest: written.author.name,
  })
  return documentView(row, principal)
}

/** Whether anything was ever made of it. */
const isUsed = ({ shareLinks, comments, suggestions }: Store, { number, revision, text }: DocumentRow) =>
  revision > 1 ||
  text.length > 0 ||
  [shareLinks, comments, suggestions].some((records) => records.list(number).length > 0)

export const deleteDocument = documentAction({
  right: 'document.delete',
  effect: 'writes',
  run({ store, principal, document }, input: { only_unused?: boolean | undefined }, happened) {
    const row = presentDocument(store, document.id)
    if (input.only_unused === true && isUsed(store, row))
      throw new GalleyError('PRECONDITION_FAILED', 'The document was used, and is kept.', {
        data: documentView(row, principal),
      })
    store.documents.delete(row)
    happened({ kind: 'document.deleted', document: row })
    return { deleted: true as const }
  },
})

/** The moments up to which feedback was seen. */
interface SeenFeedback {
  comments?: string | undefined
  suggestions?: string | undefined
  reviews?: string | undefined
}

export const markFeedbackSeen = documentAction({
  right: 'feedback.see',
  effect: 'writes',
  accepts: documentRoutes.markFeedbackSeen.body,
  run({ store, document }, { comments, suggestions, reviews }: SeenFeedback) {
    store.seenFeedback.see(document, {
      comments: pastOf('comments', comments, store.now()) ?? 0,
      suggestions: pastOf('suggestions', suggestions, store.now()) ?? 0,
      reviews: pastOf('reviews', reviews, store.now()) ?? 0,
    })
    return {
      unseen_feedback: store.seenFeedback.countUnseen(document.id),
      unseen_reviews: store.seenFeedback.countUnseenReviews(document.id),
    }
  },
})
