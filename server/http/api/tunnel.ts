import { forbidden } from '../../contract/errors.ts'
import { tunnelRoutes } from '../../contract/routes.ts'
import type { Guard } from '../admission.ts'
import { accountOf } from '../caller.ts'
import { mount, type Mounting } from '../mount.ts'

/** How people elsewhere reach the share listener. It is the machine's, so only the machine's own user may change it. */
export function tunnelHandlers(mounting: Mounting) {
  const { store, tunnel } = mounting.context
  const ownUserOnly: Guard = {
    permit({ caller }) {
      if (accountOf(caller).user.id !== store.users.owner().id)
        throw forbidden('Only the user this machine belongs to may change its tunnel.')
    },
  }

  const noProgram: Guard = {
    ...ownUserOnly,
    permitBody(_approach, { cloudflared }) {
      if (typeof cloudflared === 'object' && cloudflared !== null && Object.hasOwn(cloudflared, 'program'))
        throw forbidden(
          'Which program is started is set on this machine itself: with “galley tunnel program”, or in the desktop app.',
        )
    },
  }

  mount(mounting, tunnelRoutes.getTunnel, () => tunnel.status())
  mount(mounting, tunnelRoutes.updateTunnel, ({ body }) => tunnel.change(body), noProgram)
  mount(
    mounting,
    tunnelRoutes.createSshKey,
    async () => ({ public_key: await tunnel.createSshKey() }),
    ownUserOnly,
  )
  mount(mounting, tunnelRoutes.getCloudflared, () => tunnel.describeCloudflared(), ownUserOnly)
  mount(mounting, tunnelRoutes.downloadCloudflared, () => tunnel.downloadCloudflared(), ownUserOnly)
}
