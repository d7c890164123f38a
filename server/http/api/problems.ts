import { listProblems, moveSharePort } from '../../actions/problems.ts'
import { problemRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'

export function problemHandlers(mounting: Mounting) {
  mount(mounting, problemRoutes.listProblems, listProblems, (call) => call.perform())
  mount(mounting, problemRoutes.moveSharePort, moveSharePort, (call) => call.perform(call.body))
}
