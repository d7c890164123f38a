import { forbidden, notFound } from '../contract/errors.ts'
import type { StoredFile } from '../contract/records/files.ts'
import { freeFileName, safeFileName } from '../domain/stored-file-name.ts'
import { leadsTo } from '../domain/file-references.ts'
import { pictureSizeOf } from '../domain/picture-size.ts'
import { fileTypeOf } from '../domain/type-from-bytes.ts'
import type { BlobFolder, ReceivedBytes } from '../store/blob-folder.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { FileRow } from '../store/files.ts'
import { accountAction, documentAction } from './action.ts'
import { authorOf } from './author.ts'
import type { ActionContext } from './context.ts'
import { roomFor } from './file-room.ts'
import { presentDocument } from './present-document.ts'
import { isGuest } from './principal.ts'
import { refuseFalsePicture, refuseHuge } from './refused-files.ts'
import type { AccountTask, DocumentTask } from './task.ts'

export interface FilesContext extends ActionContext {
  blobs: BlobFolder
  /** Removes a content at once that no file has had since then, unless a backup needs it. */
  removeUnused: (sha256: string, since: number) => void
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

interface NewlyStored {
  name: string | undefined
  received: ReceivedBytes
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

interface Added {
  name: string | undefined
  received: ReceivedBytes
  /** What its sender says it is. */
  type?: string | undefined
  /** Whether one that the document has already will do, if it has these very bytes. */
  reuse?: boolean | undefined
}

/** The bytes get their place before the row that names them is committed, so that no row is without its bytes. */
export const addFile = documentAction({
  right: 'file.add',
  effect: 'writes',
  run(task: FileTask, { name, received, type, reuse }: Added, happened): StoredFile {
    const { store, context, principal } = task
    const document = presentDocument(store, task.document.id)
    const same = reuse ? store.files.findByContent(document.number, received.sha256) : undefined
    if (same) {
      task.replayed = true
      return shown(same)
    }
    const room = roomFor(task)
    if (received.size > room.bytes) throw room.refusal
    refuseFalsePicture(received, type)
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

/** By a link one may delete only what one has added oneself. */
function permitDeletion(task: FileTask) {
  const { principal } = task
  if (principal.kind === 'link' && byId(task).author_key !== principal.guestKey)
    throw forbidden('By this link you may only delete files that you have added yourself.')
}

/** What one guest has added, another may show meanwhile. */
function refuseUsed({ store }: FileTask, { number, text }: DocumentRow, name: string) {
  const pending = store.suggestions.list(number, { status: 'pending' })
  const texts = [text.whole, ...pending.map(({ suggested_text }) => suggested_text)]
  if (texts.some((text) => leadsTo(text, name)))
    throw forbidden('The text shows this file, or a suggestion does. Take it out there first.')
}

export const deleteFile = documentAction({
  right: 'file.delete',
  effect: 'writes',
  find: byId,
  permit: permitDeletion,
  run(task: FileTask, _input: void, happened): { deleted: true } {
    const { store, principal, context } = task
    const document = presentDocument(store, task.document.id)
    const { id, name, sha256 } = byId(task)
    const isByLink = principal.kind === 'link'
    if (isByLink) refuseUsed(task, document, name)
    store.files.delete(document.number, id)
    // What guests bring counts for their link while a file has it: what stayed afterwards would fill the disk.
    const since = isGuest(principal) ? store.files.noteUnusedContent(sha256) : undefined
    if (since !== undefined) store.afterCommit(() => context.removeUnused(sha256, since))
    const guest = isByLink ? { guest: authorOf(task, undefined).name } : {}
    happened({ kind: 'file.deleted', document, subject: id, ...guest })
    return { deleted: true }
  },
})
