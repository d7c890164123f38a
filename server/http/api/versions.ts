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
}
