import { Type } from 'typebox'
import { Document, Version, VersionSummary } from '../records.ts'
import { defineRoute } from '../route.ts'
import { ifMatch, listQuery } from './parts.ts'

export const versionRoutes = {
  listVersions: defineRoute({
    operationId: 'listVersions',
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/versions',
    tag: 'Versions',
    summary: 'List a document’s versions',
    description:
      'The newest first. Every change of the content is in a version; edits by one author within a minute may be one, also while others write. `revision` is the one that the version ended at. With `since` a revision, those after it; with a time, those from then on.',
    share: false,
    query: Type.Object(listQuery),
    status: 200,
    data: Type.Array(VersionSummary),
    errors: ['VALIDATION_ERROR'],
  }),
  getVersion: defineRoute({
    operationId: 'getVersion',
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/versions/:revision',
    tag: 'Versions',
    summary: 'Read a version',
    description: 'With its full text.',
    share: false,
    status: 200,
    data: Version,
    errors: [],
  }),
  restoreVersion: defineRoute({
    operationId: 'restoreVersion',
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/versions/:revision/restore',
    tag: 'Versions',
    summary: 'Restore a version',
    description: 'Makes a new revision with the version’s content; nothing in between is lost.',
    share: false,
    headers: ifMatch,
    etag: true,
    status: 200,
    data: Document,
    errors: ['PRECONDITION_FAILED'],
  }),
}
