import { Type } from 'typebox'
import { count } from '../figures.ts'
import { limits } from '../limits.ts'
import { AuthorName } from '../records/authors.ts'
import { Content, Document, Revision, SearchHit, Title } from '../records/documents.ts'
import { Timestamp } from '../records/fields.ts'
import {
  examplePoints,
  Limited,
  Located,
  Mark,
  RenderedDocument,
  RenderedPoint,
  RenderedText,
} from '../records/rendering.ts'
import { Outline, TextPart } from '../records/text-parts.ts'
import { allowed } from '../records/share-links.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { Deleted, ifMatch, documentListQuery, shareQuery, ShareToken } from './parts.ts'

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

export const documentRoutes = defineRoutes('Documents', {
  listDocuments: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/documents',
    summary: 'List or search your documents',
    description:
      'Summaries of your own documents, the most recently updated first; the order is total, so pages never repeat or skip. With `q`, a full-text search over title and content, the best match first, each hit with a `snippet`; words of three letters and more are found inside of others, too, and such hits come last. In quotation marks, words are taken as they are.',
    query: Type.Object({
      ...documentListQuery.properties,
      details: Type.Optional(
        Type.Boolean({
          description:
            'Whether to say how each text begins, and how much feedback on it the owner hasn’t seen.',
          examples: [false],
        }),
      ),
    }),
    data: Type.Array(SearchHit),
    errors: ['VALIDATION_ERROR', 'BUSY'],
  }),
  createDocument: defineRoute({
    about: 'account',
    method: 'POST',
    url: '/api/documents',
    summary: 'Create a document',
    description: 'An empty object is a valid body.',
    body: Type.Object({
      title: Type.Optional(Type.String({ ...Title, default: 'Untitled' })),
      content: Type.Optional(Type.String({ ...Content, default: '' })),
      created_at: Type.Optional(
        Type.String({
          ...Timestamp,
          description: 'When the text was first written, if that was before it came here.',
        }),
      ),
      updated_at: Type.Optional(
        Type.String({ ...Timestamp, description: 'When it was last changed before it came here.' }),
      ),
      feedback: Type.Optional(
        Type.Boolean({
          default: false,
          description: `Whether \`content\` is CriticMarkup, as an export with \`feedback\` is: the suggestions and comments in it become the document’s, in the names it gives them, and the rest is its text. What is in the name of the account is its own, unless the name is followed by \`(guest)\` or \`(agent)\`. Signs that are broken stay in the text. More than ${limits.importedFeedback} suggestions, comments and replies, or more than ${limits.importedSigns} signs, are refused.`,
          examples: [false],
        }),
      ),
    }),
    bodyLimit: limits.documentBodyBytes,
    etag: true,
    status: 201,
    data: Document,
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  markFeedbackSeen: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/seen',
    summary: 'Say that feedback was seen',
    description:
      'Comments and suggestions that were made up to the moments given count as seen, here and in the owner’s other windows; what was seen before stays so. Replies to suggestions count with these. So do reviewers who were done by then. The answer says how much isn’t.',
    repeatable: true,
    body: Type.Object(
      {
        comments: Type.Optional(
          Type.String({ ...Timestamp, description: 'When the newest comment that was seen was made.' }),
        ),
        suggestions: Type.Optional(
          Type.String({ ...Timestamp, description: 'When the newest suggestion that was seen was made.' }),
        ),
        reviews: Type.Optional(
          Type.String({ ...Timestamp, description: 'When the last reviewer was done who was seen.' }),
        ),
      },
      { anyOf: [{ required: ['comments'] }, { required: ['suggestions'] }, { required: ['reviews'] }] },
    ),
    data: Type.Object({
      unseen_feedback: Type.Integer({ minimum: 0, examples: [0] }),
      unseen_reviews: Type.Integer({ minimum: 0, examples: [0] }),
    }),
    errors: ['VALIDATION_ERROR'],
  }),
  getDocument: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id',
    summary: 'Read a document',
    description:
      'With a share token the answer also has `permission`, the link’s level. `ETag` is the revision; a matching `If-None-Match` is answered 304, but never to a share token: what its link allows may have changed, and is in the answer.',
    share: true,
    query: shareQuery,
    headers: { 'If-None-Match': 'An `ETag` the client already has.' },
    etag: true,
    data: Document,
  }),
  getPart: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/part',
    summary: 'Read a part of a document',
    description:
      'What stands under one heading, with the heading and all below it, or some whole lines, or, with both, some lines of what stands under it: for texts that are longer than what you want to know. Without either, all of it. It counts in the text as it is, which `revision` names, so its places can be commented on as they stand there.',
    share: true,
    query: Type.Object({
      heading: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1_000,
          description:
            'The id of a heading, as the outline has it, with or without `user-content-` before it, or its words in any letter case; of several with the same words the first.',
          examples: ['On proofs'],
        }),
      ),
      lines: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 20,
          description:
            'A line, counted from 1 on, such as `12`, or from one to another: `12-20`, or `12-`. With `heading`, that is line 1.',
          examples: ['1-2'],
        }),
      ),
      share_token: ShareToken,
    }),
    data: TextPart,
    errors: ['VALIDATION_ERROR'],
  }),
  getOutline: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/outline',
    summary: 'List a document’s headings',
    description:
      'Each with where it stands, and how far what is under it goes. Where `limited` isn’t null, the text was too much to find them in, and there are none.',
    share: true,
    query: shareQuery,
    data: Outline,
  }),
  updateDocument: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id',
    summary: 'Change a document',
    description: `Only the fields sent change; at least one must be sent. With \`base_title\`, nothing changes where the document has another title by then: the answer is 412, with the document. A share token needs \`edit\` and may change \`content\` only: sending \`title\` is 403 and changes nothing. Of guests’ changes only so much is kept while nobody with an account changes the document; then they are 429. One that makes a line longer than ${count(limits.guestLineLength)} code units is 413.`,
    share: true,
    query: shareQuery,
    headers: ifMatch,
    body: Type.Object(
      {
        title: Type.Optional(Title),
        base_title: Type.Optional(
          Type.String({
            ...Title,
            description: 'The title that `title` was made of, so that nobody else’s is overwritten.',
          }),
        ),
        content: Type.Optional(Content),
        author_name: Type.Optional(AuthorName),
      },
      { anyOf: [{ required: ['title'] }, { required: ['content'] }] },
    ),
    notByLink: ['title', 'base_title'],
    bodyLimit: limits.documentBodyBytes,
    etag: true,
    data: Document,
    errors: ['VALIDATION_ERROR', 'PRECONDITION_FAILED', 'PAYLOAD_TOO_LARGE'],
  }),
  deleteDocument: defineRoute({
    about: 'document',
    method: 'DELETE',
    url: '/api/documents/:id',
    summary: 'Delete a document for good',
    description:
      'Its comments, suggestions, versions and share links go with it. With `only_unused` it goes only if it is as it was created, empty, and neither shared nor commented on; else it is 412, with the document.',
    query: Type.Object({
      only_unused: Type.Optional(
        Type.Boolean({
          description: 'Whether to keep a document that was used in any way.',
          examples: [false],
        }),
      ),
    }),
    data: Deleted,
    errors: ['VALIDATION_ERROR', 'PRECONDITION_FAILED'],
  }),
  exportDocument: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/export',
    summary: 'Export a document as a file',
    description:
      'The markdown exactly as stored, a self-contained HTML page, or a Word file (`docx`). With `feedback` the pending suggestions and open comments come along: in the markdown as CriticMarkup; on the page struck and underlined in the text, and in full, with author, date and replies, below the passages; in Word as tracked changes and comments. To a share token feedback and Word files are 403. A text of more elements and lines than a Word file takes is 413.',
    share: true,
    query: Type.Object({
      format: Type.Optional(Type.Enum(['md', 'html', 'docx'], { default: 'md', examples: ['html'] })),
      feedback: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether pending suggestions and open comments come along.',
          examples: [false],
        }),
      ),
      share_token: ShareToken,
    }),
    data: Type.String({ examples: ['# On proofs\n'] }),
    file: ['text/markdown', 'text/html', wordType],
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  renderDocument: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/rendered',
    summary: 'Read a document as sanitised HTML',
    description:
      'What the share page shows. Each top-level block stands in an element whose `data-b` is the block’s offset in the source.',
    share: true,
    query: shareQuery,
    data: RenderedDocument,
  }),
  renderMarkdown: defineRoute({
    about: 'account',
    method: 'POST',
    url: '/api/render',
    summary: 'Render markdown as sanitised HTML',
    description: 'Of any text, in the way documents are rendered. Nothing is stored.',
    reads: true,
    body: Type.Object({ content: Content }),
    bodyLimit: limits.documentBodyBytes,
    data: RenderedText,
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  locateSelection: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/locate',
    summary: 'Turn a selection on the rendered page into an anchor',
    description: `For clients that show the rendered page: answers the source range and the anchor of what was selected there, both on the document as it is now: \`revision\` says which that is. A selection on an older text is brought to today through the changes since. 412, without \`data\`, if its words are gone, or that text isn’t known any more, or was replaced before there was the share link. By one link, guests may ask ${limits.guestLocatesPerMinute} times a minute, and from one address ${limits.visitorLocatesPerMinute} times.`,
    share: true,
    reads: true,
    query: shareQuery,
    body: Type.Object(
      { revision: Revision, from: RenderedPoint, to: RenderedPoint },
      { examples: [{ revision: 1, ...examplePoints }] },
    ),
    data: Located,
    errors: ['VALIDATION_ERROR', 'PRECONDITION_FAILED'],
  }),
  listMarks: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/marks',
    summary: 'Where comments and pending suggestions show on the rendered page',
    description:
      'Suggestions are left out for a holder of a `view` link. Resolved comments are left out, and so are decided suggestions but for those named in `decided`: an accepted one shows where its new words stand, a rejected one where the old ones do. Where `limited` isn’t null, the text was too much to find them in, and `marks` is empty. With a share token the answer also has `permission`, the link’s level.',
    share: true,
    query: Type.Object({
      decided: Type.Optional(
        Type.String({
          maxLength: 37 * limits.decidedMarks,
          description: `Ids of decided suggestions to show too, with commas between them; of more than ${limits.decidedMarks} the first.`,
          examples: ['3f0c2a4e-8a55-4b0c-9d36-5a2f6c1e7b90'],
        }),
      ),
      share_token: ShareToken,
    }),
    data: Type.Object({
      revision: Revision,
      marks: Type.Array(Mark),
      limited: Limited,
      ...allowed,
    }),
    errors: ['VALIDATION_ERROR'],
  }),
})
