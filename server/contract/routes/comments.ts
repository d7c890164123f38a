import { Type } from 'typebox'
import { count } from '../figures.ts'
import { limits } from '../limits.ts'
import { NewAnchor } from '../records/anchors.ts'
import { AuthorName } from '../records/authors.ts'
import { Reaction } from '../records/reactions.ts'
import { Comment } from '../records/comments.ts'
import { Id, nullable } from '../records/fields.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { BulkError, BulkMode, bulkText, Deleted, listQuery, shareQuery, ShareToken } from './parts.ts'

// The most it may have counts after trimming, which a schema can't say.
export const commentBody = Type.String({
  minLength: 1,
  pattern: '\\S',
  description: `1 to ${count(limits.commentLength)} characters after trimming.`,
  examples: ['Is this the right word?'],
})

const newComment = {
  body: commentBody,
  anchor: Type.Optional(nullable(NewAnchor)),
  parent_id: Type.Optional(
    Type.Union([Id, Type.Null()], {
      description: 'The comment that this one answers; null or absent begins a thread.',
      examples: [null],
    }),
  ),
}

export const commentRoutes = defineRoutes('Comments', {
  listComments: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/comments',
    summary: 'List a document’s comments',
    description:
      'The oldest first; replies name their thread in `parent_id`. What suggestions were answered isn’t among them: that is listed with the suggestions. `resolved` and `detached` are asked of a thread’s first comment and count for its replies too. With `since`, those that were made or changed since then.',
    share: true,
    query: Type.Object({
      resolved: Type.Optional(
        Type.Boolean({
          description: 'Only threads that are resolved, or only open ones.',
          examples: [false],
        }),
      ),
      detached: Type.Optional(
        Type.Boolean({
          description: 'Only threads whose words are gone from the text, or only the others.',
          examples: [false],
        }),
      ),
      author: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Only comments by this user’s id, or under exactly this name.',
          examples: ['Guest'],
        }),
      ),
      ...listQuery,
      share_token: ShareToken,
    }),
    placed: true,
    data: Type.Array(Comment),
    errors: ['VALIDATION_ERROR'],
  }),
  createComment: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/comments',
    summary: 'Comment on a document, or reply',
    description:
      'Without an anchor the comment is on the whole document. A guest is remembered by an HttpOnly cookie, which lets them edit their own comments later. A reply to a reply joins the same thread.',
    share: true,
    query: shareQuery,
    body: Type.Object({ ...newComment, author_name: Type.Optional(AuthorName) }),
    status: 201,
    data: Comment,
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  createComments: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/comments/batch',
    summary: 'Make many comments at once',
    description: bulkText('comments and replies'),
    share: true,
    query: shareQuery,
    body: Type.Object({
      comments: Type.Array(Type.Object(newComment), { minItems: 1, maxItems: limits.bulkFeedback }),
      mode: Type.Optional(BulkMode),
      author_name: Type.Optional(AuthorName),
    }),
    data: Type.Array(Type.Object({ comment: Type.Union([Comment, Type.Null()]), error: BulkError })),
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  updateComment: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id/comments/:comment_id',
    summary: 'Edit or resolve a comment, or edit a reply',
    description:
      'Only its author may change `body`. Its author or the document’s owner may set `resolved`, which a reply to a suggestion doesn’t have.',
    share: true,
    query: shareQuery,
    body: Type.Object(
      {
        body: Type.Optional(commentBody),
        resolved: Type.Optional(Type.Boolean({ examples: [true] })),
      },
      { anyOf: [{ required: ['body'] }, { required: ['resolved'] }] },
    ),
    data: Comment,
    errors: ['VALIDATION_ERROR'],
  }),
  react: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id/comments/:comment_id/reactions',
    summary: 'Say what you think of a comment, or take that back',
    description: `One of a few reactions, each once by each person; of a comment or of any reply. Said again, nothing changes. A guest is remembered by an HttpOnly cookie. At most ${limits.reactions} by all people.`,
    share: true,
    meetsGuests: true,
    query: shareQuery,
    body: Type.Object({
      reaction: Reaction,
      set: Type.Boolean({ description: 'False takes it back.', examples: [true] }),
      author_name: Type.Optional(AuthorName),
    }),
    data: Comment,
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  deleteComment: defineRoute({
    about: 'document',
    method: 'DELETE',
    url: '/api/documents/:id/comments/:comment_id',
    summary: 'Delete a comment or a reply',
    description:
      'By its author or the document’s owner. Deleting a thread’s first comment deletes its replies. Replies to suggestions are deleted here, too.',
    share: true,
    query: shareQuery,
    data: Deleted,
  }),
})
