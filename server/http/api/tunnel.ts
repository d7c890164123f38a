import * as tunnel from '../../actions/tunnel.ts'
import { tunnelRoutes } from '../../contract/routes.ts'
import { mount, type Mounting } from '../mount.ts'

/** How people elsewhere reach the share listener. */
export function tunnelHandlers(mounting: Mounting) {
  mount(mounting, tunnelRoutes.getTunnel, tunnel.readTunnel, (call) => call.perform())
  mount(mounting, tunnelRoutes.updateTunnel, tunnel.updateTunnel, (call) => call.perform(call.body))
  mount(mounting, tunnelRoutes.createSshKey, tunnel.createSshKey, (call) => call.perform())
  mount(mounting, tunnelRoutes.getCloudflared, tunnel.readCloudflared, (call) => call.perform())
  mount(mounting, tunnelRoutes.downloadCloudflared, tunnel.downloadCloudflared, (call) => call.perform())
}
