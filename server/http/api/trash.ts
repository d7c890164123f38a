import * as trash from '../../actions/trash.ts'
import { trashRoutes } from '../../contract/routes.ts'
import { pageOf } from '../list-page.ts'
import { mount, type Mounting } from '../mount.ts'

export function trashHandlers(mounting: Mounting) {
  mount(mounting, trashRoutes.trashDocument, trash.trashDocument, (call) => call.perform())
  mount(mounting, trashRoutes.listTrash, trash.listTrash, (call) =>
    call.perform({ ...pageOf(call.query), q: call.query.q }),
  )
  mount(mounting, trashRoutes.getTrashed, trash.readTrashed, (call) => call.perform())
  mount(mounting, trashRoutes.restoreTrashed, trash.restoreTrashed, (call) => call.perform())
  mount(mounting, trashRoutes.deleteTrashed, trash.deleteTrashed, (call) => call.perform())
  mount(mounting, trashRoutes.emptyTrash, trash.emptyTrash, (call) => call.perform())
}
