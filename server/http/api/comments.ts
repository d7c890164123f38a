import { commentRoutes } from '../../contract/routes.ts'
import { forbidden, invalid, notFound } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { CommentRow } from '../../store/comments.ts'
import type { Store } from '../../store/store.ts'
import type { Approach, Guard } from '../admission.ts'
import { requireRoomForComment } from '../guest-allowance.ts'
import { listedSince, listPart } from '../list-part.ts'
import { mount, type Mounting } from '../mount.ts'
import { placedAnchor } from '../new-anchor.ts'
import { trimmedText } from '../trimmed-text.ts'
import { commentView, wrote } from '../view.ts'
import { writer } from '../writer.ts'
import { getDocument } from './documents.ts'

function getComment(store: Store, id: string | undefined, document: number): CommentRow {
  const comment = id === undefined ? undefined : store.comments.find(id, document)
  if (!comment) throw notFound('Comment')
  return comment
}

const commentText = (text: string) => trimmedText('body', text, limits.commentLength)

export function commentHandlers(mounting: Mounting) {
  const { store, publish } = mounting.context

  mount(mounting, commentRoutes.listComments, ({ caller, document, query }) => {
    const { resolved, detached, author } = query
    return store.comments
      .list(document.number, {
        ...listedSince(store, document.number, listPart(query)),
        ...(resolved === undefined ? {} : { resolved }),
        ...(detached === undefined ? {} : { detached }),
        ...(author === undefined ? {} : { author }),
      })
      .map((comment) => commentView(comment, document.id, caller))
  })

  mount(
    mounting,
    commentRoutes.createComment,
    ({ context, caller, document, body, request, reply, bench }) => {
      const text = commentText(body.body)
      const author = writer(caller, reply, body.author_name)
      const comment = store.transaction(() => {
        const row = getDocument(context, document.id)
        const { number } = row
        requireRoomForComment(store, caller, number)
        const parent =
          body.parent_id === null || body.parent_id === undefined
            ? null
            : threadOf(store, body.parent_id, number)
        return store.comments.create(number, author, {
          body: text,
          parentId: parent?.id ?? null,
          ...placedAnchor(store, row, parent ? null : body.anchor, bench),
        })
      })
      context.openings.name(request, caller, body.author_name)
      publish({
        documentId: document.id,
        what: 'comments',
        made: {
          kind: comment.parent_id === null ? 'comment' : 'reply',
          id: comment.parent_id ?? comment.id,
          author: { id: author.id, name: author.name },
        },
      })
      return commentView(
        comment,
        document.id,
        caller.kind === 'link' ? { ...caller, guestKey: author.key } : caller,
      )
    },
  )

  const named = ({ document, params }: Pick<Approach, 'document' | 'params'>) =>
    getComment(store, params['comment_id'], document.number)
  const authorOrOwner = (refusal: string): Guard => ({
    find: named,
    permit(approach) {
      if (approach.caller.kind !== 'owner' && !wrote(approach.caller, named(approach)))
        throw forbidden(refusal)
    },
  })

  mount(
    mounting,
    commentRoutes.updateComment,
    ({ caller, document, params, body }) => {
      const text = body.body === undefined ? undefined : commentText(body.body)
      const comment = store.transaction(() => {
        const before = named({ document, params })
        const grows = text !== undefined && Buffer.byteLength(text) > Buffer.byteLength(before.body)
        const reopens = body.resolved === false && before.resolved_at !== null
        if (grows || reopens) requireRoomForComment(store, caller, document.number)
        return store.comments.update(before, {
          ...(text === undefined ? {} : { body: text }),
          ...(body.resolved === undefined ? {} : { resolved: body.resolved }),
        })
      })
      publish({ documentId: document.id, what: 'comments' })
      return commentView(comment, document.id, caller)
    },
    {
      // Decided before the body is read, which alone says what of this is asked for.
      ...authorOrOwner(
        'Only its author may change what a comment says, and only its author or the document’s owner may resolve it.',
      ),
      permitBody(approach, body) {
        if (Object.hasOwn(body, 'body') && !wrote(approach.caller, named(approach)))
          throw forbidden('Only its author may change what a comment says.')
      },
    },
  )

  mount(
    mounting,
    commentRoutes.deleteComment,
    ({ document, params }) => {
      store.transaction(() => store.comments.delete(named({ document, params }).id))
      publish({ documentId: document.id, what: 'comments' })
      return { deleted: true as const }
    },
    authorOrOwner('Only its author or the document’s owner may delete a comment.'),
  )
}

/** The first comment of the thread that a reply to `id` belongs to. */
function threadOf(store: Store, id: string, document: number): CommentRow {
  const parent = store.comments.find(id, document)
  if (!parent) throw invalid('“parent_id” is not a comment of this document.')
  return parent.parent_id === null ? parent : getComment(store, parent.parent_id, document)
}
