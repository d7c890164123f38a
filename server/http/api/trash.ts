import { trashRoutes } from '../../contract/routes.ts'
import { notFound } from '../../contract/errors.ts'
import type { Store } from '../../store/store.ts'
import type { Approach } from '../admission.ts'
import { accountOf, type Caller } from '../caller.ts'
import { pageOf } from '../list-page.ts'
import { mount, type Mounting } from '../mount.ts'
import { setEtag } from '../precondition.ts'
import { documentSummaryView, documentView, instantView, trashedView } from '../view.ts'
import { getDocument } from './documents.ts'

function getTrashed(store: Store, id: string, caller: Caller) {
  const head = store.trash.findHead(id, accountOf(caller).user.id)
  if (!head) throw notFound('Document')
  return head
}

export function trashHandlers(mounting: Mounting) {
  const { store, publish } = mounting.context
  const guard = { find: ({ caller, params }: Approach) => getTrashed(store, params['id']!, caller) }

  mount(mounting, trashRoutes.trashDocument, ({ context, document }) => {
    const { row, at } = store.transaction(() => {
      const row = getDocument(context, document.id)
      return { row, at: store.trash.put(row) }
    })
    publish({ documentId: row.id, what: 'deleted', ownerId: row.owner_id })
    return { ...documentSummaryView(row), deleted_at: instantView(at) }
  })

  mount(mounting, trashRoutes.listTrash, ({ caller, query, request }) => {
    const { user } = accountOf(caller)
    const { limit, offset } = pageOf(query, request.url)
    const isSearch = query.q !== undefined && query.q.trim() !== ''
    if (!isSearch)
      return store.trash
        .list(user.id, limit, offset)
        .map((row) => ({ ...documentSummaryView(row), deleted_at: instantView(row.deleted_at) }))
    return store.search.find(user.id, query.q!, limit, offset, 'trash').map((row) => ({
      ...documentSummaryView(row),
      snippet: row.snippet,
      deleted_at: instantView(getTrashed(store, row.id, caller).deleted_at),
    }))
  })

  mount(
    mounting,
    trashRoutes.getTrashed,
    ({ caller, params, reply }) => {
      const row = store.trash.find(params['id']!, accountOf(caller).user.id)
      if (!row) throw notFound('Document')
      setEtag(reply, row.revision)
      return trashedView(row)
    },
    guard,
  )

  mount(
    mounting,
    trashRoutes.restoreTrashed,
    ({ context, caller, params, reply }) => {
      const row = store.transaction(() => {
        const trashed = getTrashed(store, params['id']!, caller)
        store.trash.restore(trashed)
        return getDocument(context, trashed.id)
      })
      // Its links work again, too.
      for (const what of ['content', 'links'] as const) publish({ documentId: row.id, what })
      setEtag(reply, row.revision)
      return documentView(row, caller)
    },
    guard,
  )

  const deleteForGood = (id: string, caller: Caller) => {
    store.transaction(() => store.trash.delete(getTrashed(store, id, caller)))
    publish({ documentId: id, what: 'deleted', ownerId: accountOf(caller).user.id })
  }

  mount(
    mounting,
    trashRoutes.deleteTrashed,
    ({ caller, params }) => {
      deleteForGood(params['id']!, caller)
      return { deleted: true as const }
    },
    guard,
  )

  mount(mounting, trashRoutes.emptyTrash, async ({ caller }) => {
    for (const id of store.trash.listIds(accountOf(caller).user.id)) {
      // One at a time, so that nobody waits for all of them; meanwhile one may have been restored.
      if (store.trash.findHead(id, accountOf(caller).user.id)) deleteForGood(id, caller)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { deleted: true as const }
  })
}
