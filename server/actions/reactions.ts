import { GalleyError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Comment } from '../contract/records/comments.ts'
import type { Reaction } from '../contract/records/reactions.ts'
import { commentRoutes } from '../contract/routes/comments.ts'
import { withReaction } from '../domain/reactions.ts'
import { documentAction } from './action.ts'
import { authorOfFeedback, checkAuthorName } from './author.ts'
import { namedComment as named } from './comments.ts'
import { hiddenAuthorsOf } from './hidden-words.ts'
import { reactorOf } from './principal.ts'
import { commentView } from './view.ts'

interface React {
  reaction: Reaction
  set: boolean
  author_name?: string
}

/** Each person has each reaction once, whatever they wrote and however often they say so. */
export const react = documentAction({
  right: 'comment.create',
  effect: 'writes',
  accepts: commentRoutes.react.body,
  find: named,
  check: (task, { author_name }: React) => checkAuthorName(task, author_name),
  run(task, { reaction, set, author_name }: React, happened): Comment {
    const { store, document, principal } = task
    // Whoever isn’t known yet has nothing to take back.
    if (!set && reactorOf(principal) === null && task.guestKnownBy === undefined)
      return commentView(named(task), document.id, principal)
    const author = authorOfFeedback(task, author_name, happened)
    const comment = named(task)
    const by = reactorOf(principal) ?? author.key
    const reactions = withReaction(comment.reactions, { kind: reaction, by, name: author.name }, set)
    if (reactions === comment.reactions) return commentView(comment, document.id, principal, by)
    if (reactions.length > limits.reactions)
      throw new GalleyError('PAYLOAD_TOO_LARGE', 'This comment has as many reactions as it can hold.')
    const changed = store.comments.react(comment, reactions)
    const { suggestion_id: suggestion } = comment
    if (suggestion !== null) store.suggestions.noteReply(suggestion)
    const kind = set ? 'comment.reacted' : 'comment.unreacted'
    const hiddenAuthors = hiddenAuthorsOf(store, {
      ...{ kind, documentId: document.id, subjectId: comment.id, suggestionId: suggestion },
    })
    happened({
      ...{ kind, document },
      ...{ subject: comment.id, suggestion, guest: author.name },
      // What they think is theirs alone, as what they say is.
      hiddenAuthors: store.guests.isHidden(document.number, by) ? [...hiddenAuthors, by] : hiddenAuthors,
    })
    return commentView(changed, document.id, principal, by)
  },
})
