import * as events from '../../actions/events.ts'
import { eventRoutes } from '../../contract/routes.ts'
import { shown } from '../call.ts'
import { mount, type Mounting } from '../mount.ts'

export function eventHandlers(mounting: Mounting) {
  mount(mounting, eventRoutes.listEvents, events.listEvents, (call) =>
    shown(call.perform({ ...call.query, left: call.left() }), ({ events, upTo }) => {
      void call.reply.header('galley-events-up-to', upTo)
      return events
    }),
  )
}
