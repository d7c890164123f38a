import * as changes from '../../actions/changes.ts'
import { listWordChanges } from '../../actions/word-changes.ts'
import { changeRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'
import { polledBy } from '../polled-listeners.ts'

export function changeHandlers(mounting: Mounting) {
  mount(mounting, changeRoutes.pushChange, changes.pushChange, (call) => call.perform(call.body))
  mount(mounting, changeRoutes.listChanges, changes.listChanges, (call) => {
    const { presence: known, anchor, head = anchor, name, ...query } = call.query
    const { client, since } = query
    const left = query.wait ? call.left() : undefined
    if (client === undefined || known === undefined) return call.perform({ ...query, left })
    const at = anchor === undefined || head === undefined ? null : { anchor, head }
    const polled = polledBy(call.context, call.task, client)
    if (!polled) return call.perform({ ...query, left })
    return polled.answer({ client, since, at, name, known }, (news) =>
      call.perform({ ...query, left: left && AbortSignal.any([left, news]) }),
    )
  })
  mount(mounting, changeRoutes.listWordChanges, listWordChanges, (call) => call.perform(call.query))
}
