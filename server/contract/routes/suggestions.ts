import { Type } from 'typebox'
import { bytes, count } from '../figures.ts'
import { limits } from '../limits.ts'
import { NewSuggestionAnchor } from '../records/anchors.ts'
import { AuthorName } from '../records/authors.ts'
import { Revision } from '../records/documents.ts'
import { Comment } from '../records/comments.ts'
import { Id, nullable, NullableTimestamp, Timestamp } from '../records/fields.ts'
import { Suggestion, SuggestionStatus } from '../records/suggestions.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { commentBody } from './comments.ts'
import { BulkError, BulkMode, bulkText, Deleted, listQuery, shareQuery, ShareToken } from './parts.ts'

const replacedText = Type.String({
  description:
    'Empty only with an anchor whose `exact` is empty, too: then `suggested_text` is put in there.',
  maxLength: limits.suggestionLength,
  examples: ['goes out for review'],
})
const replacement = Type.String({
  maxLength: limits.suggestionLength,
  description: 'May be empty: a deletion.',
  examples: ['is sent out for review'],
})

const note = nullable(Type.String({ maxLength: limits.noteLength, examples: ['Reads better aloud.'] }))

const newSuggestion = {
  original_text: replacedText,
  suggested_text: replacement,
  anchor: Type.Optional(nullable(NewSuggestionAnchor)),
  note: Type.Optional(note),
}

/** What a decision or a change is bound to, for whoever says it. */
const seenEdit = NullableTimestamp(
  'The suggestion’s `edited_at` when it was seen, null included: if it is another now, nothing is done (`CHANGED_SINCE`). Absent, it is taken as it is.',
  null,
)
const seenBody = Type.Object({ edited_at: Type.Optional(seenEdit) })

const Accepted = Type.Object({ ...Suggestion.properties, revision: Revision })

export const suggestionRoutes = defineRoutes('Suggestions', {
  listSuggestions: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/suggestions',
    summary: 'List a document’s suggestions',
    description:
      'The oldest first. A share token needs `comment` or `edit`. With `since`, those that were made, changed, decided or answered since then.',
    share: true,
    query: Type.Object({
      status: Type.Optional(SuggestionStatus),
      replies: Type.Optional(
        Type.Boolean({ description: 'Whether to list with each what it was answered.', examples: [true] }),
      ),
      ...listQuery,
      share_token: ShareToken,
    }),
    placed: true,
    data: Type.Array(Suggestion),
    errors: ['VALIDATION_ERROR'],
  }),
  createSuggestion: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/suggestions',
    summary: 'Suggest a replacement',
    description: `Text that isn’t in the document may be suggested on too; it just can’t be accepted until it is there. Through a link one whose acceptance would make a line longer than ${count(limits.guestLineLength)} code units is 413.`,
    share: true,
    query: shareQuery,
    body: Type.Object({ ...newSuggestion, author_name: Type.Optional(AuthorName) }),
    status: 201,
    data: Suggestion,
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  createSuggestions: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/suggestions/batch',
    summary: 'Make many suggestions at once',
    description: bulkText('suggestions'),
    share: true,
    query: shareQuery,
    body: Type.Object({
      suggestions: Type.Array(Type.Object(newSuggestion), { minItems: 1, maxItems: limits.bulkFeedback }),
      mode: Type.Optional(BulkMode),
      author_name: Type.Optional(AuthorName),
    }),
    data: Type.Array(Type.Object({ suggestion: Type.Union([Suggestion, Type.Null()]), error: BulkError })),
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  updateSuggestion: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id/suggestions/:suggestion_id',
    summary: 'Change your own suggestion',
    description:
      'By its author, while it is pending. Only the fields sent change; at least one must be sent. Without another `anchor` it stays where it stands. With `edited_at` only what was seen is changed: two windows of one author lose none of each other’s words.',
    share: true,
    query: shareQuery,
    body: Type.Object(
      {
        original_text: Type.Optional(replacedText),
        suggested_text: Type.Optional(replacement),
        anchor: Type.Optional(nullable(NewSuggestionAnchor)),
        note: Type.Optional(note),
        edited_at: Type.Optional(seenEdit),
      },
      {
        anyOf: [
          { required: ['original_text'] },
          { required: ['suggested_text'] },
          { required: ['anchor'] },
          { required: ['note'] },
        ],
      },
    ),
    data: Suggestion,
    errors: ['VALIDATION_ERROR', 'ALREADY_RESOLVED', 'CHANGED_SINCE', 'PAYLOAD_TOO_LARGE'],
  }),
  acceptSuggestion: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/suggestions/:suggestion_id/accept',
    refusesLinks: true,
    summary: 'Accept a suggestion',
    description: `Replaces one occurrence of \`original_text\`, literally: the one the anchor points to, or else the first. Leaves a version, whose revision is in the answer. It takes no body; with \`edited_at\` it accepts only what was seen. Where the text would become larger than ${bytes(limits.contentBytes)}, nothing changes and the suggestion stays pending.`,
    body: seenBody,
    bodyOptional: true,
    data: Accepted,
    errors: ['VALIDATION_ERROR', 'ALREADY_RESOLVED', 'CHANGED_SINCE', 'TEXT_NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
  }),
  rejectSuggestion: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/suggestions/:suggestion_id/reject',
    refusesLinks: true,
    summary: 'Reject a suggestion',
    description: 'The text stays as it is.',
    data: Suggestion,
    errors: ['ALREADY_RESOLVED'],
  }),
  reopenSuggestion: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/suggestions/:suggestion_id/reopen',
    refusesLinks: true,
    summary: 'Take back a decision',
    description:
      'A decided suggestion is pending again. Of an accepted one the replacement is taken back, exactly where it was made, and nothing else is changed: where its words have been changed since, this is `TEXT_NOT_FOUND`, and it stays accepted. The answer names the document’s revision after that. One that is pending already stays so.',
    body: seenBody,
    bodyOptional: true,
    data: Accepted,
    errors: ['VALIDATION_ERROR', 'CHANGED_SINCE', 'TEXT_NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
  }),
  resolveSuggestions: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/suggestions/resolve',
    refusesLinks: true,
    summary: 'Accept, reject or reopen many suggestions',
    description: `All pending ones, oldest first, or those named in \`ids\`, in that order. All is as if they were decided one by one in that order. What stands apart in the text is accepted as one change, with one version to come back to; where a suggestion is about words that one before it has touched, it and what follows are a change of their own. Each result says what the suggestion became; one whose text is gone stays \`pending\` with \`error\` \`TEXT_NOT_FOUND\`. \`reopen\` takes back the decisions on those named in \`ids\`, the last decision first, whatever the order of \`ids\`. Those that stand apart in the text are one change, too; of those that touch, each is a change of its own, so that all is as if they were reopened one by one in that order. One that can’t be taken back stays as it is, with the \`error\` \`TEXT_NOT_FOUND\`, and keeps none of the others from it. With \`suggested_text\` one suggestion is accepted in other words, which are its \`accepted_text\` then; what was suggested stays what it was. One whose \`edited_at\` in \`seen\` is another than its own now stays as it is, with the \`error\` \`CHANGED_SINCE\`. Where the text would become larger than ${bytes(limits.contentBytes)}, none is accepted.`,
    body: Type.Object(
      {
        action: Type.Enum(['accept', 'reject', 'reopen'], { examples: ['accept'] }),
        ids: Type.Optional(Type.Array(Id, { maxItems: limits.bulkSuggestions })),
        seen: Type.Optional(
          Type.Array(Type.Object({ id: Id, edited_at: seenEdit }), {
            maxItems: limits.bulkSuggestions,
            description: 'Of which of them it is known what was seen; of others nothing is compared.',
          }),
        ),
        suggested_text: Type.Optional(
          Type.String({
            maxLength: limits.suggestionLength,
            description: 'With `accept` and one id: the words that are put in instead of those suggested.',
            examples: ['is sent out'],
          }),
        ),
      },
      { examples: [{ action: 'accept' }] },
    ),
    data: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'] }),
        status: nullable(SuggestionStatus),
        error: nullable(
          Type.Enum(['ALREADY_RESOLVED', 'CHANGED_SINCE', 'TEXT_NOT_FOUND', 'NOT_FOUND'], {
            examples: ['TEXT_NOT_FOUND'],
          }),
        ),
      }),
    ),
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  withdrawSuggestion: defineRoute({
    about: 'document',
    method: 'DELETE',
    url: '/api/documents/:id/suggestions/:suggestion_id',
    summary: 'Withdraw your own suggestion',
    description:
      'By its author, while it is pending. The replies to it go with it. With `edited_at` only what was seen is withdrawn: words that its author has written in another window since stay.',
    share: true,
    query: Type.Object({
      ...shareQuery.properties,
      edited_at: Type.Optional(
        Type.Union([Timestamp, Type.Literal('never')], {
          description:
            'The suggestion’s `edited_at` when it was seen, `never` for null: if it is another now, nothing is done (`CHANGED_SINCE`). Absent, it is withdrawn as it is.',
          examples: ['never'],
        }),
      ),
    }),
    data: Deleted,
    errors: ['ALREADY_RESOLVED', 'CHANGED_SINCE'],
  }),
  listReplies: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/suggestions/:suggestion_id/replies',
    summary: 'List what a suggestion was answered',
    description:
      'The oldest first. Replies are comments that name their suggestion in `suggestion_id`; no list of comments has them. A share token needs `comment` or `edit`. With `since`, those that were made or changed since then.',
    share: true,
    query: Type.Object({ ...listQuery, share_token: ShareToken }),
    data: Type.Array(Comment),
    errors: ['VALIDATION_ERROR'],
  }),
  createReply: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/suggestions/:suggestion_id/replies',
    summary: 'Answer a suggestion',
    description:
      'Pending or decided. Whoever may comment may. What a reply says is changed, and it is deleted, as a comment’s: at `/api/documents/:id/comments/:comment_id`.',
    share: true,
    query: shareQuery,
    body: Type.Object({ body: commentBody, author_name: Type.Optional(AuthorName) }),
    status: 201,
    data: Comment,
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
})
