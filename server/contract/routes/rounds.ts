import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { AuthorName } from '../records/authors.ts'
import { Round, RoundName, RoundNote } from '../records/rounds.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { expiry, shareQuery } from './parts.ts'

const fields = {
  name: Type.Optional(RoundName),
  note: Type.Optional(RoundNote),
  due_at: expiry('By when; in the future. Null, or absent, means that there is no hurry.'),
}

export const roundRoutes = defineRoutes('Rounds', {
  listRounds: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/rounds',
    summary: 'List the rounds of review',
    description: `The newest first, at most ${limits.rounds}. At most one of them runs. The owner sees of each link whether it was opened, read to the end, and who is done; whoever comes by a link sees the one that runs, and of who is done only themselves.`,
    share: true,
    query: shareQuery,
    data: Type.Array(Round),
  }),
  createRound: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/rounds',
    summary: 'Ask for a round of review',
    description:
      'Of the text as it is now; a `name` is also given to the version that this is, where it has none. Whoever comes by a share link can read the note and the date. A round that still runs ends with it.',
    body: Type.Object(fields),
    status: 201,
    data: Round,
    errors: ['VALIDATION_ERROR'],
  }),
  updateRound: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id/rounds/:round_id',
    summary: 'Change a round, end it, or take that back',
    description:
      'Only the fields sent change; at least one must be sent. An ended round stays readable. One that is opened again ends another that runs.',
    body: Type.Object(
      {
        ...fields,
        ended: Type.Optional(Type.Boolean({ description: 'Whether it has ended.', examples: [true] })),
      },
      {
        anyOf: [
          { required: ['name'] },
          { required: ['note'] },
          { required: ['due_at'] },
          { required: ['ended'] },
        ],
      },
    ),
    data: Round,
    errors: ['VALIDATION_ERROR'],
  }),
  finishReview: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id/rounds/:round_id/review',
    summary: 'Say that you are done, or take that back',
    description: `For whoever comes by a share link, with any permission; of the owner nothing is noted. The owner sees who is done, by the name they give; ${limits.roundReviewers} people by one link. Said again, nothing changes. Of a round that has ended: 400.`,
    share: true,
    meetsGuests: true,
    query: shareQuery,
    body: Type.Object({
      finished: Type.Boolean({ examples: [true] }),
      author_name: Type.Optional(AuthorName),
    }),
    data: Round,
    errors: ['VALIDATION_ERROR', 'ALREADY_RESOLVED'],
  }),
  noteRead: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/read',
    summary: 'Note that a visitor has read to the end',
    description:
      'What a page that shows the text to a recipient says once its end was in view. It is written a moment later, with the link’s visits; of who isn’t known to visit, nothing is.',
    share: true,
    reads: true,
    query: shareQuery,
    data: Type.Object({ noted: Type.Literal(true, { examples: [true] }) }),
  }),
})
