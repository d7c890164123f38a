import * as forgetting from '../../actions/forgetting.ts'
import { forgettingRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'

export function forgettingHandlers(mounting: Mounting) {
  mount(mounting, forgettingRoutes.forgetHistory, forgetting.forgetHistory, (call) => call.perform(call.body))
  mount(mounting, forgettingRoutes.readForgetting, forgetting.readForgetting, (call) => call.perform())
  mount(mounting, forgettingRoutes.findInBackups, forgetting.findInBackups, (call) => call.perform(call.body))
}
