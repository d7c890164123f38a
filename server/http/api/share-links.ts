import { shareLinkRoutes } from '../../contract/routes.ts'
import { notFound } from '../../contract/errors.ts'
import { accountOf } from '../caller.ts'
import { expiryOf } from '../expiry.ts'
import { mount, type Mounting } from '../mount.ts'
import { shareLinkSummaryView, shareLinkView } from '../view.ts'
import { getDocument } from './documents.ts'

export function shareLinkHandlers(mounting: Mounting) {
  const { store, publish } = mounting.context

  mount(mounting, shareLinkRoutes.listShareLinks, ({ document }) =>
    store.shareLinks.list(document.number).map(shareLinkSummaryView),
  )

  mount(mounting, shareLinkRoutes.createShareLink, ({ context, caller, document, body }) => {
    const { user } = accountOf(caller)
    const expiresAt = expiryOf(body.expires_at, store.now())
    const label = body.label?.trim()
    const link = store.transaction(() =>
      store.shareLinks.create(getDocument(context, document.id).number, user.id, {
        permission: body.permission ?? 'view',
        label: label === undefined || label === '' ? null : label,
        expiresAt,
      }),
    )
    publish({ documentId: document.id, what: 'links' })
    return shareLinkView(link, document.id)
  })

  mount(mounting, shareLinkRoutes.revokeShareLink, ({ document, query }) => {
    if (!store.shareLinks.delete(query.link_id, document.number)) throw notFound('Share link')
    publish({ documentId: document.id, what: 'links' })
    return { deleted: true as const }
  })
}
