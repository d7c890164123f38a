import type { Problem } from '../contract/problems.ts'
import { problemRoutes } from '../contract/routes/problems.ts'
import { machineAction } from './action.ts'
import type { ActionContext } from './context.ts'
import type { AccountTask } from './task.ts'
import { ownUserOnly } from './own-user.ts'

export interface ProblemContext extends ActionContext {
  /** What is the matter now. */
  problems: { list(): Problem[] }
  /** Has the share listener, which doesn't get its port, take another one; throws VALIDATION_ERROR if it can't. */
  sharePort: { move(port: number): Promise<number> }
}

export const listProblems = machineAction({
  right: 'tunnel.read',
  effect: 'reads',
  run: ({ context }: AccountTask<ProblemContext>) => context.problems.list(),
})

export const moveSharePort = machineAction({
  right: 'tunnel.manage',
  effect: 'outside',
  accepts: problemRoutes.moveSharePort.body,
  permit: ownUserOnly('Only the user this machine belongs to may move the port of its share links.'),
  run: async ({ context }: AccountTask<ProblemContext>, { port }: { port: number }) => ({
    port: await context.sharePort.move(port),
  }),
})
