import * as events from '../../actions/events.ts'
import { eventRoutes } from '../../contract/routes.ts'
import { shown } from '../call.ts'
import { streamEvents, wantsStream } from '../event-stream.ts'
import { mount, type Mounting } from '../mount.ts'

export function eventHandlers(mounting: Mounting) {
  mount(mounting, eventRoutes.listEvents, events.listEvents, (call) => {
    if (wantsStream(call.request)) return streamEvents(call)
    return shown(call.perform({ ...call.query, left: call.left() }), ({ events, upTo }) => {
      void call.reply.header('galley-events-up-to', upTo)
      return events
    })
  })
}
