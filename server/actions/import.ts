import type { Document } from '../contract/records/documents.ts'
import type { ReceivedBytes } from '../store/blob-folder.ts'
import { accountAction, documentAction } from './action.ts'
import { requireRoomInAll } from './file-room.ts'
import { storeFile, type FilesContext } from './files.ts'
import { here } from '../threads/text-work.ts'
import type { AccountTask, DocumentTask } from './task.ts'
import { ReceivedFeedback, readFeedback } from './feedback-as-text.ts'
import { presentDocument, refuseTooLarge, requireRevision, type KnownRevisions } from './present-document.ts'
import { accountOf } from './principal.ts'
import { documentView } from './view.ts'

/** A text from elsewhere, with when it was first written and last changed there, as far as that is known. */
interface ImportedDocument {
  title: string
  content: string
  createdAt: number | null
  updatedAt: number | null
  /** Whether the content is CriticMarkup. */
  feedback?: boolean
  /** What the text leads to, by the names it has there. */
  files?: readonly { name: string; received: ReceivedBytes }[]
}

/**
 * Makes documents of texts from elsewhere, all or none. Their ids, in the same order. Only the command line does this:
 * what takes long there holds nobody up.
 */
export const importTexts = accountAction({
  right: 'document.create',
  effect: 'writes',
  check(_task: AccountTask<FilesContext>, texts: readonly ImportedDocument[]) {
    for (const { content } of texts) refuseTooLarge(content)
  },
  run: (
    { context, store, principal }: AccountTask<FilesContext>,
    texts: readonly ImportedDocument[],
    happened,
  ): string[] =>
    texts.map((fields) => {
      const { content, threads, edits } = readFeedback(fields.content, fields.feedback, here)
      const { author } = principal
      const document = store.documents.create(principal.user.id, { ...fields, content }, author, 'import')
      new ReceivedFeedback(store, document.number, { content, threads, edits }, author).save()
      for (const { name, received } of fields.files ?? []) {
        requireRoomInAll(store, principal.user.id, received.size)
        storeFile(context, document.number, { name, received, link: null, authorKey: author.key })
      }
      happened({ kind: 'document.created', document })
      return document.id
    }),
})

interface ChangedImport {
  content: string
  files: readonly { name: string; received: ReceivedBytes }[]
  ifRevision: KnownRevisions
}

/**
 * Makes a text that was imported before, and has been changed where it came from, the document’s.
 * @returns the names of those files that the document has otherwise, which stay what they are
 */
export const changeImported = documentAction({
  right: 'document.edit',
  effect: 'writes',
  check: (_task: DocumentTask<FilesContext>, { content }: ChangedImport) => refuseTooLarge(content),
  run(
    task: DocumentTask<FilesContext>,
    { content, files, ifRevision }: ChangedImport,
    happened,
  ): { document: Document; kept: string[] } {
    const { context, store, principal } = task
    const before = presentDocument(store, task.document.id)
    requireRevision(ifRevision, before, principal)
    const { author } = accountOf(principal)
    const kept: string[] = []
    for (const { name, received } of files) {
      const there = store.files.findByName(before.number, name)
      if (there && there.sha256 !== received.sha256) kept.push(name)
      if (there) continue
      requireRoomInAll(store, before.owner_id, received.size)
      const { id } = storeFile(context, before.number, { name, received, link: null, authorKey: author.key })
      happened({ kind: 'file.added', document: before, subject: id })
    }
    const change = { content, kind: 'import', author, informed: true } as const
    const document = store.documents.change(before, change, task.bench)
    happened({ kind: 'document.changed', document })
    return { document: documentView(document, principal), kept }
  },
})
