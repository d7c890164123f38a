import { shareLinkRoutes } from '../../contract/routes.ts'
import { invalid, notFound } from '../../contract/errors.ts'
import { accountOf } from '../caller.ts'
import { expiryOf } from '../expiry.ts'
import { mount, type Mounting } from '../mount.ts'
import { setSharing } from '../sharing.ts'
import { deadCopyView, shareLinkSummaryView, shareLinkView, timeOrNull, type LinkAddresses } from '../view.ts'
import { getDocument } from './documents.ts'

function labelOf(label: string | null | undefined): string | null {
  const trimmed = label?.trim()
  return trimmed === undefined || trimmed === '' ? null : trimmed
}

/** Whoever asks for such a link must not get one that may change the text. */
function refuseSuggestOnly({ suggest_only }: { suggest_only?: boolean }) {
  if (suggest_only !== true) return
  throw invalid(
    '“suggest_only” can’t be true yet, and no link was made or changed: it would have let people edit the text itself. Use “permission”: “comment”, or leave “suggest_only” out for a link that may edit.',
  )
}

export function shareLinkHandlers(mounting: Mounting) {
  const { context } = mounting
  const { store, publish, tunnel } = context

  const addresses = (): LinkAddresses => {
    const { state, share_url, share_port } = tunnel.status()
    return { url: state === 'online' ? share_url : null, local: `http://127.0.0.1:${share_port}` }
  }

  const sharingOf = (userId: string) => ({
    stopped_at: timeOrNull(store.sharing.stoppedAt(userId) ?? null),
    links: store.sharing.countLinks(userId),
  })
  mount(mounting, shareLinkRoutes.getSharing, ({ caller }) => sharingOf(accountOf(caller).user.id))

  mount(mounting, shareLinkRoutes.updateSharing, ({ caller, body }) => {
    const { user } = accountOf(caller)
    setSharing(context, user.id, body)
    return sharingOf(user.id)
  })

  mount(mounting, shareLinkRoutes.listShareLinks, ({ document }) =>
    store.shareLinks.list(document.number).map((row) => shareLinkSummaryView(row, addresses())),
  )

  mount(mounting, shareLinkRoutes.listDeadCopies, ({ caller }) => {
    const { state, share_url } = tunnel.status()
    if (state !== 'online') return []
    return store.copiedLinks.listOther(accountOf(caller).user.id, share_url).map(deadCopyView)
  })

  const noSuchLink = () => notFound('Share link')
  mount(
    mounting,
    shareLinkRoutes.noteCopy,
    ({ document, params, body }) => {
      if (!store.copiedLinks.note(params['link_id'] ?? '', document.number, body.address)) throw noSuchLink()
      return { noted: true as const }
    },
    {
      find({ document, params }) {
        if (!store.shareLinks.find(params['link_id'] ?? '', document.number)) throw noSuchLink()
      },
    },
  )

  mount(mounting, shareLinkRoutes.createShareLink, ({ caller, document, body }) => {
    const { user } = accountOf(caller)
    refuseSuggestOnly(body)
    const expiresAt = expiryOf(body.expires_at, store.now())
    const link = store.transaction(() => {
      store.shareLinks.forgetRevoked()
      return store.shareLinks.create(getDocument(context, document.id).number, user.id, {
        permission: body.permission ?? 'view',
        label: labelOf(body.label),
        expiresAt,
      })
    })
    publish({ documentId: document.id, what: 'links' })
    return shareLinkView(link, document.id, addresses())
  })

  mount(
    mounting,
    shareLinkRoutes.updateShareLink,
    ({ document, query, body }) => {
      const { label, permission, expires_at } = body
      refuseSuggestOnly(body)
      const link = store.transaction(() => {
        const before = store.shareLinks.find(query.link_id, document.number)
        if (!before) throw noSuchLink()
        return store.shareLinks.update(before, {
          ...(label === undefined ? {} : { label: labelOf(label) }),
          ...(permission === undefined ? {} : { permission }),
          ...(expires_at === undefined ? {} : { expiresAt: expiryOf(expires_at, store.now()) }),
        })
      })
      publish({ documentId: document.id, what: 'links' })
      return shareLinkView(link, document.id, addresses())
    },
    {
      find({ document, query }) {
        const id = query['link_id']
        // Without one, the query is what is wrong.
        if (typeof id === 'string' && id !== '' && !store.shareLinks.find(id, document.number))
          throw noSuchLink()
      },
    },
  )

  mount(mounting, shareLinkRoutes.revokeShareLink, ({ document, query }) => {
    store.transaction(() => {
      store.shareLinks.forgetRevoked()
      if (!store.shareLinks.revoke(query.link_id, document.number)) throw noSuchLink()
    })
    publish({ documentId: document.id, what: 'links' })
    return { deleted: true as const }
  })

  mount(
    mounting,
    shareLinkRoutes.restoreShareLink,
    ({ document, params }) => {
      const id = params['link_id'] ?? ''
      const link = store.transaction(
        () => store.shareLinks.restore(id, document.number) ?? store.shareLinks.find(id, document.number),
      )
      if (!link) throw noSuchLink()
      publish({ documentId: document.id, what: 'links' })
      return shareLinkView(link, document.id, addresses())
    },
    {
      find({ document, params }) {
        if (!store.shareLinks.isKept(params['link_id'] ?? '', document.number)) throw noSuchLink()
      },
    },
  )
}
