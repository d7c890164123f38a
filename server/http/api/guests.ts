import * as guests from '../../actions/guests.ts'
import { guestRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'

export function guestHandlers(mounting: Mounting) {
  mount(mounting, guestRoutes.listGuests, guests.listGuests, (call) => call.perform())
  mount(mounting, guestRoutes.updateGuest, guests.updateGuest, (call) => call.perform(call.body))
  mount(mounting, guestRoutes.deleteGuestFeedback, guests.deleteGuestFeedback, (call) => call.perform())
}
