import { Type } from 'typebox'
import { Document } from '../records/documents.ts'
import { TrashedDocument, TrashedHit } from '../records/trash.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { Deleted, documentListQuery } from './parts.ts'

export const trashRoutes = defineRoutes('Trash', {
  trashDocument: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/trash',
    summary: 'Put a document into the trash',
    description:
      'It keeps all that belongs to it, and can be restored. Until then it is 404 everywhere else, also by its share links, whose page says that it is not available.',
    movesAway: true,
    data: TrashedHit,
  }),
  listTrash: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/trash',
    summary: 'List or search the trash',
    description:
      'As the list of documents, with `deleted_at`; the one that was put away last comes first. With `q`, the best match.',
    query: documentListQuery,
    data: Type.Array(TrashedHit),
    errors: ['VALIDATION_ERROR', 'BUSY'],
  }),
  getTrashed: defineRoute({
    about: 'account',
    method: 'GET',
    url: '/api/trash/:id',
    summary: 'Read a document in the trash',
    description: 'Its text, and when it was put away. It can’t be changed there.',
    etag: true,
    data: TrashedDocument,
  }),
  restoreTrashed: defineRoute({
    about: 'account',
    method: 'POST',
    url: '/api/trash/:id/restore',
    summary: 'Restore a document from the trash',
    description:
      'It is what it was, with its comments, suggestions and versions, and its share links work again.',
    movesAway: true,
    etag: true,
    data: Document,
  }),
  deleteTrashed: defineRoute({
    about: 'account',
    method: 'DELETE',
    url: '/api/trash/:id',
    summary: 'Delete a document in the trash for good',
    description: 'Its comments, suggestions, versions and share links go with it.',
    data: Deleted,
  }),
  emptyTrash: defineRoute({
    about: 'account',
    method: 'DELETE',
    url: '/api/trash',
    summary: 'Empty the trash',
    description:
      'Deletes for good what is in it now. Without this, documents go by themselves after `trash_days` of the settings.',
    data: Deleted,
  }),
})
