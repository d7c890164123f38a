import type { Document } from '../contract/records/documents.ts'
import type { DocumentHead } from '../store/documents.ts'
import type { ShareLinkRow } from '../store/share-links.ts'
import { turnOfLink } from './principal.ts'
import { renderedDocument, type RenderedPage } from './rendered-document.ts'
import type { RenderingContext } from './rendering-context.ts'
import type { ActionContext } from './context.ts'
import { documentView } from './view.ts'

/** What a link leads to now. */
export interface SharedDocument {
  link: ShareLinkRow
  head: DocumentHead
  ownerName: string | null
}

/**
 * What a link leads to. It is dead if there is none, or it is no longer valid; and leads nowhere while its document is
 * in the trash: nothing of that may be read until it comes back.
 */
export function findShared({ store }: ActionContext, token: string): SharedDocument | 'dead' | 'nowhere' {
  const link = store.shareLinks.findValid(token)
  if (!link) return 'dead'
  const head = store.documents.findLinkedHead(link)
  return head ? { link, head, ownerName: store.users.find(head.owner_id)?.name ?? null } : 'nowhere'
}

/** Its rendered page. */
export const renderShared = (
  context: RenderingContext,
  { link, head }: SharedDocument,
): Promise<RenderedPage> =>
  renderedDocument(context, head, () => context.store.documents.findLinked(link)!, turnOfLink(link, head))

/** Its text as it stands, with what the link allows. */
export const readShared = ({ store }: ActionContext, { link }: SharedDocument): Document =>
  documentView(store.documents.findLinked(link)!, { kind: 'link', link, account: null, guestKey: null })
