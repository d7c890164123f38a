import { notFound } from '../contract/errors.ts'
import type { Document, Version, VersionSummary } from '../contract/records.ts'
import type { ListQuery } from '../contract/routes/parts.ts'
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
    const content = version.content ?? presentDocument(task.store, task.document.id).content
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
    const content = version.content ?? before.content
    const change = { content, kind: 'restore', author, informed: true } as const
    const row = store.documents.change(before, change, task.bench)
    happened({ documentId: row.id, what: 'content' })
    return documentView(row, principal)
  },
})
