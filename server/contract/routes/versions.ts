import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Document } from '../records/documents.ts'
import {
  History,
  PastText,
  RevisionChanges,
  Version,
  VersionName,
  VersionSummary,
} from '../records/versions.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { ifMatch, listQuery } from './parts.ts'

export const versionRoutes = defineRoutes('Versions', {
  listVersions: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/versions',
    summary: 'List a document’s versions',
    description: `The newest first. Every change of the content is in a version; edits by one author without a pause of ${limits.versionPauseMinutes} minutes are one, also while others write; a change that doesn’t say which revision it changes, one that takes away more than ${limits.versionRemoved} characters, an accepted suggestion and a restore are each one of their own. \`revision\` is the one that the version ended at. With \`since\` a revision, those after it; with a time, those from then on.`,
    query: Type.Object({
      ...listQuery,
      named: Type.Optional(
        Type.Boolean({ default: false, description: 'Only those that have a name.', examples: [false] }),
      ),
    }),
    data: Type.Array(VersionSummary),
    errors: ['VALIDATION_ERROR'],
  }),
  getVersion: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/versions/:revision',
    summary: 'Read a version',
    description: 'With its full text.',
    data: Version,
  }),
  restoreVersion: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/versions/:revision/restore',
    summary: 'Restore a version',
    description: 'Makes a new revision with the version’s content; nothing in between is lost.',
    headers: ifMatch,
    etag: true,
    data: Document,
    errors: ['PRECONDITION_FAILED'],
  }),
  updateVersion: defineRoute({
    about: 'document',
    method: 'PATCH',
    url: '/api/documents/:id/versions/:revision',
    summary: 'Name a version',
    description:
      'Null takes the name away. A version that has been named stays at its revision: what its author changes next is another version.',
    body: Type.Object({ name: VersionName }),
    data: VersionSummary,
    errors: ['VALIDATION_ERROR'],
  }),
  getRevision: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/revisions/:revision',
    summary: 'Read the text at any revision',
    description:
      'As it was with that change, and who made it when. Every revision since the first is kept; a few numbers may be missing where a backup was restored or an older Galley kept less, and are 404.',
    data: PastText,
  }),
  compareRevisions: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/revisions',
    summary: 'What has changed between two revisions',
    description:
      'Made to the text at `from`, the changes give exactly the text at `to`. They are found by comparing the two, however many revisions lie between: what was written and taken away again isn’t among them.',
    query: Type.Object({
      from: Type.Integer({ minimum: 1, description: 'The older revision.', examples: [1] }),
      to: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'The younger one, or the same; absent, the newest.',
          examples: [1],
        }),
      ),
      unified: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether to answer the changes as a unified diff, too.',
          examples: [true],
        }),
      ),
    }),
    data: RevisionChanges,
    errors: ['VALIDATION_ERROR'],
  }),
  listHistory: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/history',
    summary: 'List every change of a text, from the beginning',
    description: `How the text came to be: each change, who made it when, and what it did, the oldest first, in parts. Made one after the other, beginning with an empty text, the changes give the text at each revision. For the next part give the last \`revision\` as \`after\`, until \`more\` is false. A part ends after ${limits.historyPage.toLocaleString('en')} changes, or sooner where they are long; there is at least one. Where a change inserts very much, read the text at its revision for the words. Editors that want what is new ask \`GET /api/documents/:id/changes\`.`,
    query: Type.Object({
      after: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          default: 0,
          description: 'Only changes after this revision.',
          examples: [0],
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          default: limits.historyPage,
          description: `How many at most. Above ${limits.historyPage} it is taken as ${limits.historyPage}.`,
          examples: [100],
        }),
      ),
    }),
    data: History,
    errors: ['VALIDATION_ERROR'],
  }),
  restoreRevision: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/revisions/:revision/restore',
    summary: 'Restore the text at any revision',
    description: 'Makes a new revision with that text; nothing in between is lost.',
    headers: ifMatch,
    etag: true,
    data: Document,
    errors: ['PRECONDITION_FAILED'],
  }),
})
