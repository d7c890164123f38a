import type { TunnelProvider } from './provider.ts'
import type { ClientAddresses } from './client-addresses.ts'

/**
 * A provider whose visitors come in at an edge of its own, which adds their address to `X-Forwarded-For`, and which
 * connects to the share listener from this machine. While it does, the last entry counts there.
 */
export const behindEdge = (provider: TunnelProvider, clientAddresses: ClientAddresses): TunnelProvider => ({
  ...provider,
  async open(port, signal) {
    const session = await provider.open(port, signal)
    const doubt = clientAddresses.trust(port)
    void session.ended.then(doubt)
    return session
  },
})
