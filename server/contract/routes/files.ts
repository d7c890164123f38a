import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { FilesRoom, FreedFiles, shownTypes, StoredFile } from '../records/files.ts'
import { defineRoute, defineRoutes } from '../route.ts'
import { Deleted, shareQuery, ShareToken } from './parts.ts'

const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`

export const fileRoutes = defineRoutes('Files', {
  getFilesRoom: defineRoute({
    about: 'machine',
    method: 'GET',
    url: '/api/files',
    summary: 'See how much room all files take',
    description: `Of all documents on this Galley, and of what none of them uses any more: that stays for ${limits.unusedFileDays} days.`,
    data: FilesRoom,
  }),
  freeUnusedFiles: defineRoute({
    about: 'machine',
    method: 'DELETE',
    url: '/api/files/unused',
    summary: 'Remove the files that no document uses',
    description: `Now, instead of after ${limits.unusedFileDays} days. What documents use stays, those in the trash among them, and what a backup in the data folder needs. Only the machine’s own user may: others get 403.`,
    outsideDatabase: true,
    data: FreedFiles,
  }),
  listFiles: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/files',
    summary: 'List a document’s files',
    description: 'By name.',
    share: true,
    query: shareQuery,
    data: Type.Array(StoredFile),
  }),
  addFile: defineRoute({
    about: 'document',
    method: 'POST',
    url: '/api/documents/:id/files',
    summary: 'Add a picture or another file',
    description: `The body is the file’s bytes, with their type as \`Content-Type\`. What it is, its content decides. The name is made safe and unique; write \`path\` into the text. Pictures are kept and served as they are, with all that their metadata says, such as where they were taken; Galley’s pages take that out before they send one. At most ${megabytes(limits.fileBytes)}, and ${megabytes(limits.documentFileBytes)} of one document; by a share link ${megabytes(limits.guestFileBytes)}, and ${megabytes(limits.linkFileBytes)} by one link. All files together may take the settings’ \`files_gigabytes\`. What is said to be a PNG, JPEG, GIF, WebP or AVIF picture has to be one. A picture may have ${limits.pictureSide} pixels on a side and ${limits.picturePixels / 1_000_000} million in all.`,
    share: true,
    outsideDatabase: true,
    bytes: true,
    bodyLimit: limits.fileBytes,
    query: Type.Object({
      share_token: ShareToken,
      name: Type.Optional(
        Type.String({ maxLength: 1_000, description: '“file” where absent.', examples: ['photo.png'] }),
      ),
      reuse: Type.Optional(
        Type.Boolean({
          description:
            'Where the document has a file of these very bytes already, under whatever name, it is answered instead of storing another, with `Idempotency-Replayed: true`. So the same file can be sent again after an answer got lost, or by several at once, and is there once.',
          examples: [true],
        }),
      ),
    }),
    status: 201,
    data: StoredFile,
    errors: ['VALIDATION_ERROR', 'UNSUPPORTED_TYPE'],
  }),
  getFile: defineRoute({
    about: 'document',
    method: 'GET',
    url: '/api/documents/:id/files/:file',
    summary: 'Read a file',
    description:
      'By its `name`, percent-encoded. Pictures (PNG, JPEG, GIF, WebP, AVIF) can be shown, and sound and film (MP3, FLAC, Ogg, WAV, MP4, WebM) played; everything else is offered for download. One `Range` of bytes is answered 206, also after `If-Range`. `ETag` is the SHA-256; an `If-None-Match` with it, or `*`, is answered 304.',
    share: true,
    query: shareQuery,
    data: Type.String(),
    file: ['application/octet-stream', ...shownTypes],
  }),
  deleteFile: defineRoute({
    about: 'document',
    method: 'DELETE',
    url: '/api/documents/:id/files/:file',
    summary: 'Delete a file',
    description:
      'By its `id`. The text stays as it is, also where it shows the file. By a share link for editing, whoever added the file may delete it, while neither the text nor a pending suggestion leads to it; its bytes then go at once, unless another file or a backup in the data folder has the same.',
    share: true,
    query: shareQuery,
    data: Deleted,
  }),
})
