import { readOrigins, updateOrigins } from '../../actions/origins.ts'
import { originRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'

export function originHandlers(mounting: Mounting) {
  mount(mounting, originRoutes.getOrigins, readOrigins, (call) => call.perform())
  mount(mounting, originRoutes.updateOrigins, updateOrigins, (call) => call.perform(call.body))
}
