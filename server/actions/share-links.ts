import { notFound } from '../contract/errors.ts'
import type { LinkVisit } from '../contract/records/link-visits.ts'
import type { Permission, ShareLink, ShareLinkSummary } from '../contract/records/share-links.ts'
import type { StaleLink } from '../contract/routes/share-links.ts'
import type { TunnelStatus } from '../contract/tunnel.ts'
import { shareLinkRoutes } from '../contract/routes/share-links.ts'
import type { ShareLinkRow } from '../store/share-links.ts'
import { accountAction, documentAction } from './action.ts'
import type { ActionContext } from './context.ts'
import { expiryOf } from './chosen-expiry.ts'
import { presentDocument } from './present-document.ts'
import { accountOf } from './principal.ts'
import type { AccountTask, DocumentTask } from './task.ts'
import {
  staleLinkView,
  linkVisitView,
  shareLinkSummaryView,
  shareLinkView,
  type LinkAddresses,
} from './view.ts'

/** Links say how they are reached. */
export interface LinkContext extends ActionContext {
  tunnel: { status(): Pick<TunnelStatus, 'state' | 'share_url' | 'share_port'> }
}
type LinkTask = DocumentTask<LinkContext>

const addresses = ({ context: { tunnel } }: LinkTask): LinkAddresses => {
  const { state, share_url, share_port } = tunnel.status()
  return { url: state === 'online' ? share_url : null, local: `http://127.0.0.1:${share_port}` }
}
const shown = (task: LinkTask, row: ShareLinkRow): ShareLink => shareLinkView(row, task, addresses(task))

const noSuchLink = () => notFound('Share link')
const idOf = ({ target }: LinkTask) => target['link_id'] ?? ''

/** The link that a task is about. */
function named(task: LinkTask): ShareLinkRow {
  const link = task.store.shareLinks.find(idOf(task), task.document.number)
  if (!link) throw noSuchLink()
  return link
}

function labelOf(label: string | null | undefined): string | null {
  const trimmed = label?.trim()
  return trimmed === undefined || trimmed === '' ? null : trimmed
}

interface LinkInput {
  permission?: Permission
  label?: string | null
  expires_at?: string | null
  suggest_only?: boolean
  hides_people?: boolean
  allows_agents?: boolean
}

export const listShareLinks = documentAction({
  right: 'share.list',
  effect: 'reads',
  run: (task: LinkTask): ShareLinkSummary[] =>
    task.store.shareLinks
      .list(task.document.number)
      .map((row) => shareLinkSummaryView(row, task, addresses(task))),
})

/** When links were opened, and by whom, as far as that is known. */
export const listLinkVisits = documentAction({
  right: 'share.list',
  effect: 'reads',
  run: ({ store, document }): LinkVisit[] => store.linkVisits.list(document.number).map(linkVisitView),
})

/** Links that were copied with an address by which nobody gets here any more. */
export const listStaleLinks = accountAction({
  right: 'sharing.read',
  effect: 'reads',
  run({ context, store, principal }: AccountTask<LinkContext>): StaleLink[] {
    const { state, share_url } = context.tunnel.status()
    if (state !== 'online') return []
    return store.copiedLinks.listOther(principal.user.id, share_url).map(staleLinkView)
  },
})

/** Notes with which address a link was copied. */
export const noteCopy = documentAction({
  right: 'share.manage',
  effect: 'writes',
  accepts: shareLinkRoutes.noteCopy.body,
  find: named,
  run(task: LinkTask, { address }: { address: string }) {
    if (!task.store.copiedLinks.note(idOf(task), task.document.number, address)) throw noSuchLink()
    return { noted: true as const }
  },
})

export const createShareLink = documentAction({
  right: 'share.manage',
  effect: 'writes',
  accepts: shareLinkRoutes.createShareLink.body,
  check({ store }: LinkTask, fields: LinkInput) {
    expiryOf(fields.expires_at, store.now())
  },
  run(task: LinkTask, fields: LinkInput, happened): ShareLink {
    const { permission, label, expires_at, hides_people, suggest_only, allows_agents } = fields
    const { store, document, principal } = task
    store.shareLinks.forgetRevoked()
    const { number } = presentDocument(store, document.id)
    const { user, author } = accountOf(principal)
    const choices = {
      permission: permission ?? 'view',
      label: labelOf(label),
      expiresAt: expiryOf(expires_at, store.now()),
      hidesPeople: hides_people ?? false,
      suggestOnly: suggest_only ?? false,
      allowsAgents: allows_agents ?? false,
    }
    const link = store.shareLinks.create(number, user.id, choices, author)
    happened({ kind: 'link.created', document, subject: link.id })
    return shown(task, link)
  },
})

export const updateShareLink = documentAction({
  right: 'share.manage',
  effect: 'writes',
  accepts: shareLinkRoutes.updateShareLink.body,
  find(task: LinkTask) {
    // Where none is named, what is asked is what is wrong.
    if (idOf(task) !== '') named(task)
  },
  run(task: LinkTask, fields: LinkInput, happened): ShareLink {
    const { label, permission, expires_at, hides_people, suggest_only, allows_agents } = fields
    const { store, document } = task
    const link = store.shareLinks.update(named(task), {
      ...(label === undefined ? {} : { label: labelOf(label) }),
      ...(permission === undefined ? {} : { permission }),
      ...(expires_at === undefined ? {} : { expiresAt: expiryOf(expires_at, store.now()) }),
      ...(hides_people === undefined ? {} : { hidesPeople: hides_people }),
      ...(suggest_only === undefined ? {} : { suggestOnly: suggest_only }),
      ...(allows_agents === undefined ? {} : { allowsAgents: allows_agents }),
    })
    happened({ kind: 'link.changed', document, subject: link.id })
    return shown(task, link)
  },
})

export const revokeShareLink = documentAction({
  right: 'share.manage',
  effect: 'writes',
  run(task: LinkTask, _input: void, happened) {
    const { store, document } = task
    store.shareLinks.forgetRevoked()
    if (!store.shareLinks.revoke(idOf(task), document.number)) throw noSuchLink()
    happened({ kind: 'link.revoked', document, subject: idOf(task) })
    return { deleted: true as const }
  },
})

export const restoreShareLink = documentAction({
  right: 'share.manage',
  effect: 'writes',
  find(task: LinkTask) {
    if (!task.store.shareLinks.isKept(idOf(task), task.document.number)) throw noSuchLink()
  },
  run(task: LinkTask, _input: void, happened): ShareLink {
    const { store, document } = task
    const link = store.shareLinks.restore(idOf(task), document.number) ?? named(task)
    happened({ kind: 'link.restored', document, subject: link.id })
    return shown(task, link)
  },
})
