import { notFound } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Version, VersionSummary } from '../contract/records/versions.ts'
import type { ListQuery } from '../contract/routes/parts.ts'
import { versionRoutes } from '../contract/routes/versions.ts'
import { documentAction } from './action.ts'
import { listPart } from './list-part.ts'
import { presentDocument } from './present-document.ts'
import { restoreText, revisionIn, textAt, type Restore } from './revisions.ts'
import type { DocumentTask } from './task.ts'
import { trimmedName } from './trimmed-text.ts'
import { versionView } from './view.ts'

/** The version that a task is about. */
function named(task: DocumentTask) {
  const version = task.store.versions.find(task.document.number, revisionIn(task))
  if (!version) throw notFound('Version')
  return version
}

export const listVersions = documentAction({
  right: 'version.read',
  effect: 'reads',
  run: ({ store, document }, { named = false, ...part }: ListQuery & { named?: boolean }): VersionSummary[] =>
    store.versions.list(document.number, { ...listPart(part), named }).map(versionView),
})

export const readVersion = documentAction({
  right: 'version.read',
  effect: 'reads',
  find: named,
  run(task): Version {
    const version = named(task)
    const document = presentDocument(task.store, task.document.id)
    return { ...versionView(version), content: textAt(task, document, version.revision) }
  },
})

export const restoreVersion = documentAction({
  right: 'version.restore',
  effect: 'writes',
  find: named,
  run: (task, input: Restore, happened) => restoreText(task, named(task).revision, input, happened),
})

export const nameVersion = documentAction({
  right: 'version.name',
  effect: 'writes',
  accepts: versionRoutes.updateVersion.body,
  find: named,
  run(task, input: { name: string | null }, happened): VersionSummary {
    const { store, document } = task
    const { revision } = named(task)
    const name = input.name === null ? null : trimmedName('name', input.name, limits.versionNameLength)
    store.versions.name(document.number, revision, name)
    happened({ kind: 'version.named', document: { ...document, revision } })
    return versionView(named(task))
  },
})
