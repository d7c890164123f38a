import * as history from '../../actions/history.ts'
import * as revisions from '../../actions/revisions.ts'
import * as versions from '../../actions/versions.ts'
import { versionRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'
import { ifRevision } from '../precondition.ts'

export function versionHandlers(mounting: Mounting) {
  mount(mounting, versionRoutes.listVersions, versions.listVersions, (call) => call.perform(call.query))
  mount(mounting, versionRoutes.getVersion, versions.readVersion, (call) => call.perform())
  mount(mounting, versionRoutes.restoreVersion, versions.restoreVersion, (call) =>
    call.perform({ ifRevision: ifRevision(call.request) }),
  )
  mount(mounting, versionRoutes.updateVersion, versions.nameVersion, (call) => call.perform(call.body))
  mount(mounting, versionRoutes.getRevision, revisions.readRevision, (call) => call.perform())
  mount(mounting, versionRoutes.compareRevisions, revisions.compareRevisions, (call) =>
    call.perform(call.query),
  )
  mount(mounting, versionRoutes.listHistory, history.listHistory, (call) => call.perform(call.query))
  mount(mounting, versionRoutes.restoreRevision, revisions.restoreRevision, (call) =>
    call.perform({ ifRevision: ifRevision(call.request) }),
  )
}
