import { GalleyError, notFound } from '../contract/errors.ts'
import type { Document, Version, VersionSummary } from '../contract/records.ts'
import type { ListQuery } from '../contract/routes/parts.ts'
import type { DocumentRow } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import { documentAction } from './action.ts'
import { listPart } from './list-part.ts'
import { presentDocument, requireRevision, type KnownRevisions } from './present-document.ts'
import { accountOf } from './principal.ts'
import type { DocumentTask } from './task.ts'
import { documentView, versionView } from './view.ts'

/** The version that a task is about. */
function named({ store, document, target }: DocumentTask) {
  const revision = target['revision'] ?? ''
  const version = /^\d{1,15}$/.test(revision) && store.versions.find(document.number, Number(revision))
  if (!version) throw notFound('Version')
  return version
}

function textOf({ documents }: Store, document: DocumentRow, revision: number): string {
  const text = documents.textAt(document, revision)
  if (text === null)
    throw new GalleyError(
      'DB_ERROR',
      'The text of this version can’t be read: the log of changes is damaged.',
    )
  return text
}

export const listVersions = documentAction({
  right: 'version.read',
  effect: 'reads',
  run: ({ store, document }, input: ListQuery): VersionSummary[] =>
    store.versions.list(document.number, listPart(input)).map(versionView),
})

export const readVersion = documentAction({
  right: 'version.read',
  effect: 'reads',
  run(task): Version {
    const version = named(task)
    const content = textOf(task.store, presentDocument(task.store, task.document.id), version.revision)
    return { ...versionView(version), content }
  },
})

export const restoreVersion = documentAction({
  right: 'version.restore',
  effect: 'writes',
  find: named,
  run(task, input: { ifRevision?: KnownRevisions | undefined }, happened): Document {
    const { store, principal } = task
    const { author } = accountOf(principal)
    const before = presentDocument(store, task.document.id)
    const version = named(task)
    requireRevision(input.ifRevision, before, principal)
    const content = textOf(store, before, version.revision)
    const change = { content, kind: 'restore', author, informed: true } as const
    const row = store.documents.change(before, change, task.bench)
    happened({ documentId: row.id, what: 'content' })
    return documentView(row, principal)
  },
})
