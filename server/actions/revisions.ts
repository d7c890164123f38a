import { GalleyError, invalid, notFound } from '../contract/errors.ts'
import type { Document } from '../contract/records/documents.ts'
import type { PastText, RevisionChanges } from '../contract/records/versions.ts'
import { unifiedDiff } from '../domain/unified-diff.ts'
import type { DocumentRow } from '../store/documents.ts'
import { documentAction } from './action.ts'
import { presentDocument, requireRevision, type KnownRevisions } from './present-document.ts'
import { accountOf } from './principal.ts'
import type { Happened } from './record.ts'
import type { DocumentTask } from './task.ts'
import { documentView, pastTextView } from './view.ts'

/** The revision that a path names; NaN where it is none. */
export const revisionIn = ({ target }: DocumentTask): number => {
  const written = target['revision'] ?? ''
  return /^\d{1,15}$/.test(written) ? Number(written) : NaN
}

/** The revision that a task is about. */
function named(task: DocumentTask) {
  const revision = task.store.documents.findRevision(task.document, revisionIn(task))
  if (!revision) throw notFound('Revision')
  return revision
}

/** @throws GalleyError DB_ERROR where the log is damaged */
export function textAt({ store, bench }: DocumentTask, document: DocumentRow, revision: number): string {
  const text = store.documents.textAt(document, revision, bench)
  if (text === null)
    throw new GalleyError(
      'DB_ERROR',
      `The text of revision ${revision} can’t be read: the log of changes is damaged.`,
    )
  return text
}

export interface Restore {
  ifRevision?: KnownRevisions | undefined
}

/** Makes the text of an older revision the present one. */
export function restoreText(
  task: DocumentTask,
  revision: number,
  { ifRevision }: Restore,
  happened: Happened,
): Document {
  const { store, principal } = task
  const { author } = accountOf(principal)
  const before = presentDocument(store, task.document.id)
  requireRevision(ifRevision, before, principal)
  const content = textAt(task, before, revision)
  const change = { content, kind: 'restore', author, informed: true } as const
  const row = store.documents.change(before, change, task.bench)
  happened({ kind: 'version.restored', document: row })
  return documentView(row, principal)
}

export const readRevision = documentAction({
  right: 'version.read',
  effect: 'reads',
  find: named,
  run(task): PastText {
    const revision = named(task)
    return pastTextView(
      revision,
      textAt(task, presentDocument(task.store, task.document.id), revision.revision),
    )
  },
})

export const restoreRevision = documentAction({
  right: 'version.restore',
  effect: 'writes',
  find: named,
  run: (task, input: Restore, happened) => restoreText(task, named(task).revision, input, happened),
})

export const compareRevisions = documentAction({
  right: 'version.read',
  effect: 'reads',
  run(
    task,
    { from, to: wanted, unified }: { from: number; to?: number; unified?: boolean },
  ): RevisionChanges {
    const { store, bench } = task
    const document = presentDocument(store, task.document.id)
    const to = wanted ?? document.revision
    for (const [field, revision] of Object.entries({ from, to }))
      if (!store.documents.findRevision(document, revision))
        throw invalid(
          `“${field}”: the document has no revision ${revision}; the newest is ${document.revision}.`,
          field,
        )
    if (from > to) throw invalid('“from” must not be a later revision than “to”.', 'from')
    const before = textAt(task, document, from)
    const after = textAt(task, document, to)
    const changes = bench('compare', { before, after })
    if (!unified) return { from, to, changes }
    const names = { before: `revision ${from}`, after: `revision ${to}` }
    return { from, to, changes, unified: unifiedDiff(before, changes, names) }
  },
})
