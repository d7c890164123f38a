import { forbidden, invalid, notFound } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { NewAnchor } from '../contract/records/anchors.ts'
import type { Comment } from '../contract/records/comments.ts'
import type { ListQuery } from '../contract/routes/parts.ts'
import { commentRoutes } from '../contract/routes/comments.ts'
import type { Author } from '../store/author.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { CommentRow } from '../store/comments.ts'
import type { Store } from '../store/store.ts'
import { documentAction } from './action.ts'
import { authorOfFeedback, authorOrOwnerOf, checkAuthorName } from './author.ts'
import { requireRoomForComment } from './guest-room.ts'
import { hiddenAuthorsOf } from './hidden-words.ts'
import { listedSince, listPart } from './list-part.ts'
import { makeEach, placedOf, type Bulk } from './bulk.ts'
import { placedAnchor, placedAnchors, type PlacedAnchor } from './new-anchor.ts'
import { placedList } from './placed-list.ts'
import { presentDocument } from './present-document.ts'
import { isShownTo, seenBy, wrote, type Principal } from './principal.ts'
import type { Happened } from './record.ts'
import { mayAlso, type DocumentTask } from './task.ts'
import { trimmedText } from './trimmed-text.ts'
import { commentView } from './view.ts'

function getComment(store: Store, id: string | undefined, document: number): CommentRow {
  const comment = id === undefined ? undefined : store.comments.find(id, document)
  if (!comment) throw notFound('Comment')
  return comment
}
/** The comment that a task is about, if whoever asks is shown it. */
export function namedComment({ store, document, target, principal }: DocumentTask): CommentRow {
  const comment = getComment(store, target['comment_id'], document.number)
  const { parent_id, suggestion_id } = comment
  const within = [
    comment,
    parent_id === null ? undefined : store.comments.find(parent_id, document.number),
    suggestion_id === null ? undefined : store.suggestions.find(suggestion_id, document.number),
  ]
  if (within.some((one) => one && !isShownTo(principal, one))) throw notFound('Comment')
  return comment
}
const named = namedComment

export const commentText = (text: string) => trimmedText('body', text, limits.commentLength)

interface ListedComments extends ListQuery {
  resolved?: boolean
  detached?: boolean
  author?: string
}

export const listComments = documentAction({
  right: 'comment.list',
  effect: 'reads',
  run(task, input: ListedComments): Comment[] {
    const { store, principal } = task
    const { resolved, detached, author } = input
    return placedList(task, ({ number, id }) =>
      store.comments
        .list(number, {
          ...listedSince(store, number, listPart(input)),
          ...(resolved === undefined ? {} : { resolved }),
          ...(detached === undefined ? {} : { detached }),
          ...(author === undefined ? {} : { author }),
          seenBy: seenBy(principal),
        })
        .map((comment) => commentView(comment, id, principal)),
    )
  },
})

interface NewComment {
  body: string
  anchor?: NewAnchor | null
  parent_id?: string | null
  author_name?: string
}

export const createComment = documentAction({
  right: 'comment.create',
  effect: 'writes',
  accepts: commentRoutes.createComment.body,
  check(task, { body, author_name }: NewComment) {
    commentText(body)
    checkAuthorName(task, author_name)
  },
  run(task, input: NewComment, happened): Comment {
    const author = authorOfFeedback(task, input.author_name, happened)
    const row = presentDocument(task.store, task.document.id)
    const placed = placedAnchor(task.store, row, askedOf(input), task.bench)
    return make(task, { row, author, placed }, input, happened)
  },
})

interface NewComments extends Bulk {
  comments: Omit<NewComment, 'author_name'>[]
}

export const createComments = documentAction({
  right: 'comment.create',
  effect: 'writes',
  accepts: commentRoutes.createComments.body,
  counts: ({ comments }: NewComments) => comments.length,
  check: (task, { author_name }: NewComments) => checkAuthorName(task, author_name),
  run(task, { comments, mode, author_name }: NewComments, happened) {
    const author = authorOfFeedback(task, author_name, happened)
    const row = presentDocument(task.store, task.document.id)
    const asked = comments.map(askedOf)
    const anchors = placedAnchors(task.store, row, asked, task.bench)
    return makeEach(comments, { mode, list: 'comments' }, (one, index) => {
      return make(task, { row, author, placed: placedOf(anchors[index]!) }, one, happened)
    }).map(({ made, error }) => ({ comment: made, error }))
  },
})

const askedOf = (one: Omit<NewComment, 'author_name'>) => ({ anchor: isReply(one) ? null : one.anchor })

const isReply = ({ parent_id }: Pick<NewComment, 'parent_id'>) =>
  parent_id !== null && parent_id !== undefined

/** What is refused has written nothing. */
function make(
  { store, principal }: DocumentTask,
  { row, author, placed }: { row: DocumentRow; author: Author; placed: PlacedAnchor },
  { body, parent_id }: NewComment,
  happened: Happened,
): Comment {
  requireRoomForComment(store, principal, row.number)
  const parent =
    parent_id === null || parent_id === undefined ? null : threadOf(store, parent_id, row.number, principal)
  const text = commentText(body)
  const comment = store.comments.create(row.number, author, {
    body: text,
    parentId: parent?.id ?? null,
    ...placed,
  })
  happened({ kind: 'comment.created', document: row, subject: comment.id, guest: author.name })
  return commentView(comment, row.id, principal)
}

/** The first comment of the thread that a reply to `id` belongs to. */
function threadOf(store: Store, id: string, document: number, principal: Principal): CommentRow {
  const parent = store.comments.find(id, document)
  if (!parent || !isShownTo(principal, parent))
    throw invalid('“parent_id” is not a comment of this document.', 'parent_id')
  if (parent.suggestion_id !== null)
    throw invalid(
      '“parent_id” is a reply to a suggestion: answer it at that suggestion’s replies.',
      'parent_id',
    )
  return parent.parent_id === null ? parent : getComment(store, parent.parent_id, document)
}

const authorOrOwner = (refusal: string) => (task: DocumentTask) => {
  if (!mayAlso(task.principal, 'comment.manage') && !wrote(task.principal, named(task)))
    throw forbidden(refusal)
}

interface ChangedComment {
  body?: string
  resolved?: boolean
}

export const updateComment = documentAction({
  right: 'comment.create',
  effect: 'writes',
  accepts: commentRoutes.updateComment.body,
  find: named,
  // Which of the two is asked for, only the input says.
  permit: authorOrOwner(
    'Only its author may change what a comment says, and only its author or the document’s owner may resolve it.',
  ),
  permitInput(task, input) {
    if (Object.hasOwn(input, 'body') && !wrote(task.principal, named(task)))
      throw forbidden('Only its author may change what a comment says.')
  },
  check(task, { body, resolved }: ChangedComment) {
    if (body !== undefined) commentText(body)
    if (resolved !== undefined && named(task).suggestion_id !== null)
      throw invalid('A reply to a suggestion isn’t resolved: it is settled once the suggestion is decided.')
  },
  run(task, { body, resolved }: ChangedComment, happened): Comment {
    const { store, principal, document } = task
    const text = body === undefined ? undefined : commentText(body)
    const before = named(task)
    const grows = text !== undefined && Buffer.byteLength(text) > Buffer.byteLength(before.body)
    const reopens = resolved === false && before.resolved_at !== null
    if (grows || reopens) requireRoomForComment(store, principal, document.number)
    const changed = {
      ...(text === undefined ? {} : { body: text }),
      ...(resolved === undefined ? {} : { resolved }),
    }
    const comment = store.comments.update(before, changed, authorOrOwnerOf(task, before))
    const suggestion = noteReply(store, before)
    const about = { document, subject: comment.id, suggestion, guest: before.author_name }
    const isResolved = comment.resolved_at !== null
    const settles = isResolved !== (before.resolved_at !== null)
    if (settles) happened({ ...about, kind: isResolved ? 'comment.resolved' : 'comment.reopened' })
    if (!settles || text !== undefined) happened({ ...about, kind: 'comment.changed' })
    return commentView(comment, document.id, principal)
  },
})

export const deleteComment = documentAction({
  right: 'comment.create',
  effect: 'writes',
  find: named,
  permit: authorOrOwner('Only its author or the document’s owner may delete a comment.'),
  run(task, _input: void, happened) {
    const { document, store } = task
    const comment = named(task)
    const { id: subject, author_name: guest } = comment
    const gone = { kind: 'comment.deleted', subjectId: subject, suggestionId: comment.suggestion_id } as const
    const hiddenAuthors = hiddenAuthorsOf(store, { ...gone, documentId: document.id })
    store.comments.delete(subject)
    const suggestion = noteReply(store, comment)
    happened({ kind: gone.kind, document, subject, suggestion, guest, hiddenAuthors })
    return { deleted: true as const }
  },
})

/** Has a suggestion know that a reply to it is another now; answers which suggestion, if it is a reply to one. */
function noteReply({ suggestions }: Store, { suggestion_id }: CommentRow): string | null {
  if (suggestion_id !== null) suggestions.noteReply(suggestion_id)
  return suggestion_id
}
