import { GalleyError, notFound } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { StoredFile } from '../contract/records/files.ts'
import { freeFileName, safeFileName } from '../domain/stored-file-name.ts'
import { pictureSizeOf, type PictureSize } from '../domain/picture-size.ts'
import { fileTypeOf } from '../domain/file-type.ts'
import type { BlobFolder, ReceivedBytes } from '../store/blob-folder.ts'
import type { FileRow } from '../store/files.ts'
import { accountAction, documentAction } from './action.ts'
import { authorOf } from './author.ts'
import type { ActionContext } from './context.ts'
import { presentDocument } from './present-document.ts'
import { isGuest } from './principal.ts'
import type { AccountTask, DocumentTask } from './task.ts'

export interface FilesContext extends ActionContext {
  blobs: BlobFolder
}
type FileTask = DocumentTask<FilesContext>

const shown = ({ id, name, type, size, width, height, sha256 }: FileRow): StoredFile => ({
  ...{ id, name, type, size, width, height, sha256 },
  path: `files/${encodeURIComponent(name)}`,
})

function found(row: FileRow | undefined): FileRow {
  if (!row) throw notFound('File')
  return row
}
const byName = ({ store, document, target }: FileTask) =>
  found(store.files.findByName(document.number, target['file'] ?? ''))
const byId = ({ store, document, target }: FileTask) =>
  found(store.files.find(document.number, target['file'] ?? ''))

const tooLarge = (message: string) => new GalleyError('PAYLOAD_TOO_LARGE', `${message} Nothing was stored.`)

/** How many bytes a file may still have that whoever asks adds now. */
export function roomFor({ store, document, principal }: FileTask): number {
  const { files } = store
  const { count, bytes } = files.used(document.number)
  if (count >= limits.documentFiles) return 0
  const ofDocument = limits.documentFileBytes - bytes
  if (principal.kind !== 'link' || !isGuest(principal)) return Math.min(limits.fileBytes, ofDocument)
  const ofLink = limits.linkFileBytes - files.usedByLink(document.number, principal.link.id)
  return Math.min(limits.guestFileBytes, ofDocument, ofLink)
}

/** @throws GalleyError PAYLOAD_TOO_LARGE, with what there is room for */
export function refuseSize(room: number): never {
  if (room <= 0) throw tooLarge('There is no room left for files here: delete some first.')
  throw tooLarge(`This file is larger than the ${Math.floor(room / 1024)} KB that it may have here.`)
}

/** What a browser would need gigabytes to show. */
function refuseHuge({ width, height }: PictureSize) {
  const { pictureSide, picturePixels } = limits
  if (width <= pictureSide && height <= pictureSide && width * height <= picturePixels) return
  throw tooLarge(
    `This picture has ${width} × ${height} pixels. It may have ${pictureSide} on a side, and ${picturePixels / 1_000_000} million in all: make it smaller first.`,
  )
}

interface Added {
  name: string | undefined
  received: ReceivedBytes
}

interface NewlyStored extends Added {
  link: string | null
  authorKey: string
}

/**
 * Gives bytes that have come their place and a name in a document, inside the transaction that this runs in.
 * @throws GalleyError PAYLOAD_TOO_LARGE for a picture that no browser should be asked to show
 */
export function storeFile(
  { store, blobs }: FilesContext,
  document: number,
  { name, received, link, authorKey }: NewlyStored,
): FileRow {
  const type = fileTypeOf(received.head)
  const pixels = pictureSizeOf(type, received.head)
  if (pixels) refuseHuge(pixels)
  blobs.place(received)
  return store.files.create(document, {
    name: freeFileName(safeFileName(name), (one) => store.files.findByName(document, one) !== undefined),
    ...{ sha256: received.sha256, size: received.size, type, link, authorKey },
    ...{ width: pixels?.width ?? null, height: pixels?.height ?? null },
  })
}

/** The bytes get their place before the row that names them is committed, so that no row is without its bytes. */
export const addFile = documentAction({
  right: 'file.add',
  effect: 'writes',
  run(task: FileTask, { name, received }: Added, happened): StoredFile {
    const { store, context, principal } = task
    const document = presentDocument(store, task.document.id)
    const room = roomFor(task)
    if (received.size > room) refuseSize(room)
    const author = authorOf(task, undefined)
    const link = principal.kind === 'link' && isGuest(principal) ? principal.link.id : null
    const row = storeFile(context, document.number, { name, received, link, authorKey: author.key })
    happened({ kind: 'file.added', document, subject: row.id, guest: author.name })
    return shown(row)
  },
})

export const listFiles = documentAction({
  right: 'file.read',
  effect: 'reads',
  run: ({ store, document }: FileTask): StoredFile[] => store.files.list(document.number).map(shown),
})

export const getFile = documentAction({
  right: 'file.read',
  effect: 'reads',
  find: byName,
  run: (task: FileTask): FileRow => byName(task),
})

/** A file of a document in the trash, for who looks at that there. */
export const getTrashedFile = accountAction({
  right: 'trash.read',
  effect: 'reads',
  run({ store, principal, target }: AccountTask<FilesContext>): FileRow {
    const document = store.trash.find(target['id'] ?? '', principal.user.id)
    if (!document) throw notFound('Document')
    return found(store.files.findByName(document.number, target['file'] ?? ''))
  },
})

export const deleteFile = documentAction({
  right: 'file.delete',
  effect: 'writes',
  find: byId,
  run(task: FileTask, _input: void, happened): { deleted: true } {
    const { store } = task
    const document = presentDocument(store, task.document.id)
    const row = byId(task)
    store.files.delete(document.number, row.id)
    happened({ kind: 'file.deleted', document, subject: row.id })
    return { deleted: true }
  },
})
