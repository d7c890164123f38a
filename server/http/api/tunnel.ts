import { forbidden } from '../../contract/errors.ts'
import { tunnelRoutes } from '../../contract/routes.ts'
import { accountOf } from '../caller.ts'
import { mount, type Mounting } from '../mount.ts'

/** How people elsewhere reach the share listener. It is the machine's, so only the machine's own user may change it. */
export function tunnelHandlers(mounting: Mounting) {
  const { store, tunnel } = mounting.context

  mount(mounting, tunnelRoutes.getTunnel, () => tunnel.status())

  mount(
    mounting,
    tunnelRoutes.updateTunnel,
    ({ body }) =>
      tunnel.change({
        ...(body.on === undefined ? {} : { on: body.on }),
        ...(body.provider === undefined ? {} : { provider: body.provider }),
        ...(body.public_address === undefined ? {} : { publicAddress: body.public_address }),
      }),
    {
      permit({ caller }) {
        if (accountOf(caller).user.id !== store.users.owner().id)
          throw forbidden('Only the user this machine belongs to may change its tunnel.')
      },
    },
  )
}
