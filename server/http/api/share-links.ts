import * as links from '../../actions/share-links.ts'
import { readSharing, updateSharing } from '../../actions/sharing.ts'
import type { Target } from '../../actions/asker.ts'
import { linkVisitRoutes, shareLinkRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'

/** Some routes name the link in the query. */
const inQuery = ({ id }: Target, { link_id }: Readonly<Record<string, unknown>>): Target => ({
  id,
  link_id: typeof link_id === 'string' ? link_id : undefined,
})

export function shareLinkHandlers(mounting: Mounting) {
  mount(mounting, shareLinkRoutes.getSharing, readSharing, (call) => call.perform())
  mount(mounting, shareLinkRoutes.updateSharing, updateSharing, (call) => call.perform(call.body))

  mount(mounting, shareLinkRoutes.listShareLinks, links.listShareLinks, (call) => call.perform())
  mount(mounting, linkVisitRoutes.listLinkVisits, links.listLinkVisits, (call) => call.perform())
  mount(mounting, shareLinkRoutes.listStaleLinks, links.listStaleLinks, (call) => call.perform())
  mount(mounting, shareLinkRoutes.noteCopy, links.noteCopy, (call) => call.perform(call.body))
  mount(mounting, shareLinkRoutes.createShareLink, links.createShareLink, (call) => call.perform(call.body))
  mount(
    mounting,
    shareLinkRoutes.updateShareLink,
    links.updateShareLink,
    (call) => call.perform(call.body),
    inQuery,
  )
  mount(mounting, shareLinkRoutes.revokeShareLink, links.revokeShareLink, (call) => call.perform(), inQuery)
  mount(mounting, shareLinkRoutes.restoreShareLink, links.restoreShareLink, (call) => call.perform())
}
