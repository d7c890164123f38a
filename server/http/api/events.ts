import * as events from '../../actions/events.ts'
import { eventRoutes } from '../../contract/routes.ts'
import { shown } from '../call.ts'
import { mount, type Mounting } from '../mount.ts'

export function eventHandlers(mounting: Mounting) {
  mount(mounting, eventRoutes.listEvents, events.listEvents, (call) => {
    const leaving = new AbortController()
    call.reply.raw.once('close', () => leaving.abort())
    return shown(call.perform({ ...call.query, left: leaving.signal }), ({ events, upTo }) => {
      void call.reply.header('galley-events-up-to', upTo)
      return events
    })
  })
}
