import type { Comment } from '../contract/records/comments.ts'
import { suggestionRoutes } from '../contract/routes/suggestions.ts'
import type { ListQuery } from '../contract/routes/parts.ts'
import { documentAction } from './action.ts'
import { authorOfFeedback, checkAuthorName } from './author.ts'
import { commentText } from './comments.ts'
import { requireRoomForComment } from './guest-room.ts'
import { listedSince, listPart } from './list-part.ts'
import { seenBy } from './principal.ts'
import { namedSuggestion } from './suggestions.ts'
import { commentView } from './view.ts'

// What a suggestion is answered. A reply is a comment, which is changed and deleted as such.

export const listReplies = documentAction({
  right: 'suggestion.list',
  effect: 'reads',
  find: namedSuggestion,
  run(task, input: ListQuery): Comment[] {
    const { store, principal, document } = task
    return store.comments
      .replies(namedSuggestion(task).id, {
        ...listedSince(store, document.number, listPart(input)),
        seenBy: seenBy(principal),
      })
      .map((reply) => commentView(reply, document.id, principal))
  },
})

interface NewReply {
  body: string
  author_name?: string
}

export const createReply = documentAction({
  // Whoever may comment is shown all suggestions.
  right: 'comment.create',
  effect: 'writes',
  accepts: suggestionRoutes.createReply.body,
  find: namedSuggestion,
  check(task, { body, author_name }: NewReply) {
    commentText(body)
    checkAuthorName(task, author_name)
  },
  run(task, input: NewReply, happened): Comment {
    const { store, principal, document } = task
    const author = authorOfFeedback(task, input.author_name, happened)
    const suggestion = namedSuggestion(task).id
    requireRoomForComment(store, principal, document.number)
    const reply = store.comments.create(document.number, author, {
      ...{ body: commentText(input.body), suggestionId: suggestion },
      ...{ parentId: null, anchor: null, range: null },
    })
    store.suggestions.noteReply(suggestion)
    happened({ kind: 'comment.created', document, subject: reply.id, suggestion, guest: author.name })
    return commentView(reply, document.id, task.principal)
  },
})
