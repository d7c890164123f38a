import * as changes from '../../actions/changes.ts'
import { listWordChanges } from '../../actions/word-changes.ts'
import { changeRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'

export function changeHandlers(mounting: Mounting) {
  mount(mounting, changeRoutes.pushChange, changes.pushChange, (call) => call.perform(call.body))
  mount(mounting, changeRoutes.listChanges, changes.listChanges, (call) =>
    call.perform({ ...call.query, ...(call.query.wait ? { left: call.left() } : {}) }),
  )
  mount(mounting, changeRoutes.listWordChanges, listWordChanges, (call) => call.perform(call.query))
}
