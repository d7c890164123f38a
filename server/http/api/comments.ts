import { commentRoutes } from '../../contract/routes.ts'
import { forbidden, invalid, notFound } from '../../contract/errors.ts'
import { placeAnchor } from '../../domain/anchor.ts'
import type { CommentRow } from '../../store/comments.ts'
import type { Store } from '../../store/store.ts'
import { mount, type Mounting } from '../mount.ts'
import { commentView, wrote } from '../view.ts'
import { writer } from '../writer.ts'
import { getDocument } from './documents.ts'

function getComment(store: Store, id: string | undefined, document: number): CommentRow {
  const comment = id === undefined ? undefined : store.comments.find(id, document)
  if (!comment) throw notFound('Comment')
  return comment
}

export function commentHandlers(mounting: Mounting) {
  const { store, publish } = mounting.context

  mount(mounting, commentRoutes.listComments, ({ caller, document }) =>
    store.comments.list(document.number).map((comment) => commentView(comment, document.id, caller)),
  )

  mount(mounting, commentRoutes.createComment, ({ context, caller, document, body, reply }) => {
    const author = writer(caller, reply, body.author_name)
    const comment = store.transaction(() => {
      const { number, content } = getDocument(context, document.id)
      const parent =
        body.parent_id === null || body.parent_id === undefined
          ? null
          : threadOf(store, body.parent_id, number)
      const anchor = parent ? null : (body.anchor ?? null)
      return store.comments.create(number, author, {
        body: body.body.trim(),
        parentId: parent?.id ?? null,
        anchor,
        range: anchor && placeAnchor(content, anchor),
      })
    })
    publish({ documentId: document.id, what: 'comments' })
    return commentView(
      comment,
      document.id,
      caller.kind === 'link' ? { ...caller, guestKey: author.key } : caller,
    )
  })

  mount(mounting, commentRoutes.updateComment, ({ caller, document, params, body }) => {
    const comment = store.transaction(() => {
      const before = getComment(store, params['comment_id'], document.number)
      if (body.body !== undefined && !wrote(caller, before)) {
        throw forbidden('Only its author may change what a comment says.')
      }
      if (body.resolved !== undefined && !wrote(caller, before) && caller.kind !== 'owner') {
        throw forbidden('Only its author or the document’s owner may resolve a comment.')
      }
      return store.comments.update(before, {
        ...(body.body === undefined ? {} : { body: body.body.trim() }),
        ...(body.resolved === undefined ? {} : { resolved: body.resolved }),
      })
    })
    publish({ documentId: document.id, what: 'comments' })
    return commentView(comment, document.id, caller)
  })

  mount(mounting, commentRoutes.deleteComment, ({ caller, document, params }) => {
    store.transaction(() => {
      const comment = getComment(store, params['comment_id'], document.number)
      if (!wrote(caller, comment) && caller.kind !== 'owner') {
        throw forbidden('Only its author or the document’s owner may delete a comment.')
      }
      store.comments.delete(comment.id)
    })
    publish({ documentId: document.id, what: 'comments' })
    return { deleted: true as const }
  })
}

/** The first comment of the thread that a reply to `id` belongs to. */
function threadOf(store: Store, id: string, document: number): CommentRow {
  const parent = store.comments.find(id, document)
  if (!parent) throw invalid('“parent_id” is not a comment of this document.')
  return parent.parent_id === null ? parent : getComment(store, parent.parent_id, document)
}
