import type { TunnelProvider } from './provider.ts'
import type { Visitors } from './visitors.ts'

/**
 * A provider whose visitors come in at an edge of its own, which adds their address to `X-Forwarded-For`, and which
 * connects to the share listener from this machine. While it does, the last entry counts there.
 */
export const behindEdge = (provider: TunnelProvider, visitors: Visitors): TunnelProvider => ({
  ...provider,
  async open(port, signal) {
    const session = await provider.open(port, signal)
    const doubt = visitors.believe(port)
    void session.ended.then(doubt)
    return session
  },
})
