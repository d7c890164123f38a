import { notFound } from '../contract/errors.ts'
import type { Document } from '../contract/records/documents.ts'
import type { TrashedDocument, TrashedHit } from '../contract/records/trash.ts'
import { accountAction, documentAction } from './action.ts'
import { isSearch, type ListedDocuments } from './documents.ts'
import type { FoundDocument } from '../store/search.ts'
import { presentDocument } from './present-document.ts'
import { accountOf, seesDocument } from './principal.ts'
import { record, type Recording } from './record.ts'
import { findDocuments, type SearchContext } from './search.ts'
import type { AccountTask } from './task.ts'
import { documentSummaryView, documentView, putAwayView, trashedView } from './view.ts'

/** The document in the trash that a task is about. */
const named = ({ store, principal, target }: AccountTask) =>
  // A key for chosen documents is refused the trash, but for bringing its own back, and first knows of no others.
  found(
    seesDocument(principal, target['id'] ?? '')
      ? store.trash.findHead(target['id'] ?? '', principal.user.id)
      : undefined,
  )

function found<Row>(row: Row | undefined): Row {
  if (!row) throw notFound('Document')
  return row
}

export const trashDocument = documentAction({
  right: 'document.delete',
  effect: 'writes',
  run({ store, document, principal }, _input: void, happened): TrashedHit {
    const row = presentDocument(store, document.id)
    const away = store.trash.put(row, accountOf(principal).author)
    happened({ kind: 'document.trashed', document: row })
    return { ...documentSummaryView(row), ...putAwayView(away, principal) }
  },
})

export const listTrash = accountAction({
  right: 'trash.read',
  effect: 'reads',
  run(
    { context, principal }: AccountTask<SearchContext>,
    input: ListedDocuments,
  ): TrashedHit[] | Promise<TrashedHit[]> {
    const { trash } = context.store
    const { limit, offset, q = '' } = input
    const owner = principal.user.id
    if (!isSearch(input))
      return trash
        .list(owner, limit, offset)
        .map((row) => ({ ...documentSummaryView(row), ...putAwayView(row, principal) }))
    const show = (rows: FoundDocument[]): TrashedHit[] =>
      rows.flatMap((row) => {
        const head = trash.findHead(row.id, owner)
        // Meanwhile it may have been taken out.
        if (!head) return []
        return [{ ...documentSummaryView(row), snippet: row.snippet, ...putAwayView(head, principal) }]
      })
    const hits = findDocuments(context, { owner, query: q, limit, offset, place: 'trash' })
    return hits instanceof Promise ? hits.then(show) : show(hits)
  },
})

export const readTrashed = accountAction({
  right: 'trash.read',
  effect: 'reads',
  find: named,
  run: ({ store, principal, target }): TrashedDocument =>
    trashedView(found(store.trash.find(target['id'] ?? '', principal.user.id)), principal),
})

export const restoreTrashed = accountAction({
  right: 'trash.restore',
  effect: 'writes',
  find: named,
  run(task, _input: void, happened): Document {
    const { store, principal } = task
    const trashed = named(task)
    store.trash.restore(trashed)
    const row = presentDocument(store, trashed.id)
    happened({ kind: 'document.restored', document: row })
    return documentView(row, principal)
  },
})

export const deleteTrashed = accountAction({
  right: 'trash.manage',
  effect: 'writes',
  find: named,
  run(task, _input: void, happened) {
    const document = named(task)
    task.store.trash.delete(document)
    happened({ kind: 'document.deleted', document })
    return { deleted: true as const }
  },
})

export const emptyTrash = accountAction({
  right: 'trash.manage',
  effect: 'outside',
  async run(task) {
    const { context, store, principal } = task
    const ownerId = principal.user.id
    for (const id of store.trash.listIds(ownerId)) {
      // One at a time, so that nobody waits for all of them; meanwhile one may have been restored.
      await record(
        context,
        () => task.principal,
        (happened) => {
          const document = store.trash.findHead(id, ownerId)
          if (document && store.trash.delete(document)) happened({ kind: 'document.deleted', document })
        },
      )
    }
    return { deleted: true as const }
  },
})

/** Deletes for good one document that has been in the trash for its days; whether there was one. */
export const sweepOneTrashed = (context: Recording): Promise<boolean> =>
  record(
    context,
    () => null,
    (happened) => {
      const gone = context.store.trash.sweepOne()
      if (gone) happened({ kind: 'document.deleted', document: gone })
      return gone !== undefined
    },
  )
