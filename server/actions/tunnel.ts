import type { CloudflaredProgram } from '../contract/cloudflared.ts'
import { forbidden } from '../contract/errors.ts'
import type { TunnelChange, TunnelStatus } from '../contract/tunnel.ts'
import { tunnelRoutes } from '../contract/routes/tunnel.ts'
import { machineAction } from './action.ts'
import type { ActionContext } from './context.ts'
import { ownUserOnly } from './own-user.ts'
import type { AccountTask } from './task.ts'

/** How people elsewhere reach the share listener, as far as it may be seen and changed. */
interface TunnelControl {
  status(): TunnelStatus
  /** Throws VALIDATION_ERROR if what is to be switched on isn't set up; nothing has changed then. */
  change(wanted: TunnelChange): Promise<TunnelStatus>
  /** Makes the key for an SSH server; its public half. Throws a GalleyError if it can't be kept. */
  createSshKey(): Promise<string>
  /** Which cloudflared would be started, and what could be downloaded. */
  describeCloudflared(): Promise<CloudflaredProgram>
  /** Begins to download it. Throws nothing: how it ends, the description tells. */
  downloadCloudflared(): Promise<CloudflaredProgram>
}
export interface TunnelContext extends ActionContext {
  tunnel: TunnelControl
}
type TunnelTask = AccountTask<TunnelContext>

const permit = ownUserOnly('Only the user this machine belongs to may change its tunnel.')

export const readTunnel = machineAction({
  right: 'tunnel.read',
  effect: 'reads',
  run: ({ context }: TunnelTask) => context.tunnel.status(),
})

export const updateTunnel = machineAction({
  right: 'tunnel.manage',
  effect: 'outside',
  accepts: tunnelRoutes.updateTunnel.body,
  permit,
  permitInput(_task, { cloudflared }) {
    if (typeof cloudflared === 'object' && cloudflared !== null && Object.hasOwn(cloudflared, 'program'))
      throw forbidden(
        'Which program is started is set on this machine itself: with “galley tunnel program”, or in the desktop app.',
      )
  },
  run: ({ context }: TunnelTask, wanted: TunnelChange) => context.tunnel.change(wanted),
})

export const createSshKey = machineAction({
  right: 'tunnel.manage',
  effect: 'outside',
  permit,
  run: async ({ context }: TunnelTask) => ({ public_key: await context.tunnel.createSshKey() }),
})

export const readCloudflared = machineAction({
  right: 'tunnel.read',
  effect: 'reads',
  permit,
  run: ({ context }: TunnelTask) => context.tunnel.describeCloudflared(),
})

export const downloadCloudflared = machineAction({
  right: 'tunnel.manage',
  effect: 'outside',
  accepts: tunnelRoutes.downloadCloudflared.body,
  permit,
  run: ({ context }: TunnelTask) => context.tunnel.downloadCloudflared(),
})
