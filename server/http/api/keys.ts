import * as keys from '../../actions/keys.ts'
import { keyRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'

export function keyHandlers(mounting: Mounting) {
  mount(mounting, keyRoutes.listKeys, keys.listKeys, (call) => call.perform())
  mount(mounting, keyRoutes.createKey, keys.createKey, (call) => call.perform(call.body))
  mount(mounting, keyRoutes.deleteKey, keys.deleteKey, (call) => call.perform())
}
