import { forbidden } from '../../contract/errors.ts'
import { problemRoutes } from '../../contract/routes.ts'
import { accountOf } from '../caller.ts'
import { mount, type Mounting } from '../mount.ts'

export function problemHandlers(mounting: Mounting) {
  const { store, problems, sharePort } = mounting.context

  mount(mounting, problemRoutes.listProblems, () => problems.list())
  mount(
    mounting,
    problemRoutes.moveSharePort,
    async ({ body }) => ({ port: await sharePort.move(body.port) }),
    {
      permit({ caller }) {
        if (accountOf(caller).user.id !== store.users.owner().id)
          throw forbidden('Only the user this machine belongs to may move the port of its share links.')
      },
    },
  )
}
